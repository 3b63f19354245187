// What the order hears of, as records.
#pragma once

#include "order/listener.hpp"

namespace heddle::recorder {

order::Listener& order_recorder();

}  // namespace heddle::recorder
