#include "engine/lower.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace heddle::engine {

using namespace event;

// depend clauses of one task's children (OpenMP 5.1, section 2.19.11), by generations: consecutive `in`, `inoutset`
// and `mutexinoutset` tasks share one, any other task opens the next. A task waits for the whole previous generation.
struct Lowering::DependTable {
  struct Generation {
    DependKind kind = DependKind::kIn;
    std::vector<ObjectIndex> members, before;
  };
  std::unordered_map<u64, Generation> by_address;
  ObjectIndex all_memory = kNone;  // the last task with depend(out: omp_all_memory)
};

Lowering::Lowering(Sink& sink) : sink_(sink) {
  make(0, {}, kNone);
  last_number_ = 0;
  last_index_ = 0;
}
Lowering::~Lowering() = default;

TaskIndex Lowering::look_up(u32 number) {
  u32* index = index_of_.find(number);
  if (!index) throw NoHistory("task " + std::to_string(number) + " does something, but does not exist");
  last_number_ = number;
  return last_index_ = *index;
}

Lowering::Team& Lowering::team_of(u32 number) {
  const auto found = teams_.find(number);
  if (found == teams_.end())
    throw NoHistory("something happens in team " + std::to_string(number) + ", which does not exist");
  return found->second;
}

TaskIndex Lowering::make(u32 number, Ref parent, u32 region) {
  TaskIndex index;
  if (free_tasks_.empty()) {
    index = static_cast<TaskIndex>(tasks_.size());
    tasks_.emplace_back();
    places_.emplace_back();
  } else {
    index = free_tasks_.back();
    free_tasks_.pop_back();
  }
  Task& task = tasks_[index];
  task.number = number;
  task.parent = parent;
  task.region = region;
  index_of_[number] = index;
  return index;
}

void Lowering::retire(TaskIndex index) {
  Task& task = tasks_[index];
  index_of_.erase(task.number);
  if (last_index_ == index) {
    last_number_ = tasks_[0].number;
    last_index_ = 0;
  }
  if (task.depends) {
    for (auto& [address, generation] : task.depends->by_address) {
      for (ObjectIndex object : generation.members) let_go(object);
      for (ObjectIndex object : generation.before) let_go(object);
    }
    if (task.depends->all_memory != kNone) let_go(task.depends->all_memory);
  }
  u32 generation = task.generation + 1;
  // Keeps the vectors' memory: there are many tasks.
  task.groups.clear();
  task.children.clear();
  task.held.clear();
  task.predecessors.clear();
  task.depends.reset();
  task.generation = generation;
  task.undeferred = false;
  task.at_end = kNone;
  places_[index] = {};
  free_tasks_.push_back(index);
}

void Lowering::join(TaskIndex task, TaskIndex child) {
  sink_.join(task, child);
  retire(child);
}

void Lowering::join_all(TaskIndex task, std::vector<Ref>& refs) {
  for (const Ref& child : refs)
    if (is_live(child)) join(task, child.index);
  refs.clear();
}

u32 Lowering::resolve(u32 region) {
  while (region != kNone && regions_[region].abandoned) region = regions_[region].joined_by;
  return region;
}

u32 Lowering::open_region(u32 outer) {
  u32 region;
  if (free_regions_.empty()) {
    region = static_cast<u32>(regions_.size());
    regions_.emplace_back();
  } else {
    region = free_regions_.back();
    free_regions_.pop_back();
  }
  regions_[region].outer = outer;
  return region;
}

// REQUIRES: everything inside has been joined.
void Lowering::close_region(u32 region) {
  regions_[region].pending.clear();
  regions_[region].compact_at = 64;
  free_regions_.push_back(region);
}

void Lowering::add_child(TaskIndex parent, TaskIndex child) {
  std::vector<Ref>& children = tasks_[parent].children;
  // A group may have joined some: searched when the number has doubled.
  if (children.size() >= 64 && (children.size() & (children.size() - 1)) == 0)
    std::erase_if(children, [&](const Ref& known) { return !is_live(known); });
  children.push_back(ref(child));
}

void Lowering::enter(u32 region, TaskIndex task) {
  region = resolve(region);
  if (region == kNone) return;
  Region& r = regions_[region];
  if (r.pending.size() >= r.compact_at) {  // a taskwait has joined most of them
    std::erase_if(r.pending, [&](const Ref& known) { return !is_live(known); });
    r.compact_at = std::max<usize>(64, 2 * r.pending.size());
  }
  r.pending.push_back(ref(task));
}

ObjectIndex Lowering::new_object() {
  if (!free_objects_.empty()) {
    ObjectIndex object = free_objects_.back();
    free_objects_.pop_back();
    return object;
  }
  references_.push_back(0);
  return static_cast<ObjectIndex>(references_.size() - 1);
}

void Lowering::forget(ObjectIndex object) {
  sink_.forget(object);
  free_objects_.push_back(object);
}

ObjectIndex Lowering::object_of(u32 number) {
  if (ObjectIndex* known = object_of_.find(number)) return *known;
  ObjectIndex object = new_object();
  object_of_[number] = object;
  return object;
}

void Lowering::let_go(ObjectIndex object) {
  if (--references_[object] == 0) forget(object);
}

void Lowering::team_begins(u32 number, u32 team_number, u32 thread, bool is_thread) {
  Team& team = team_of(team_number);
  TaskIndex task = make(number, ref(team.parent), team.region);
  places_[task].thread = thread;
  sink_.fork(team.parent, task);
  sink_.begin(task, thread);
  if (is_thread)
    team.threads.push_back(task);
  else
    enter(team.region, task);
  if (team.phase > 0) sink_.await(task, team.barrier[(team.phase - 1) % 2]);
}

void Lowering::leave_barrier(TaskIndex task, Team& team) {
  ObjectIndex object = team.barrier[(team.to_leave == 0 ? team.phase : team.phase - 1) % 2];
  if (team.to_leave == 0) {  // the first to leave: all have arrived, all tasks have ended
    team.to_leave = static_cast<u32>(team.threads.size());
    team.arrived = 0;
    ++team.phase;
    join_all(task, regions_[team.region].pending);
    for (TaskIndex thread : team.threads)  // a barrier inside a group also waits for the group's tasks
      for (u32 group : tasks_[thread].groups) join_all(task, regions_[group].pending);
    sink_.signal(task, object, false);
  }
  --team.to_leave;
  sink_.await(task, object);
}

void Lowering::depend(TaskIndex parent, TaskIndex child, const std::vector<Depend>& depends) {
  if (depends.empty()) return;
  ObjectIndex self = new_object();
  hold(self);  // by the task itself, until its end
  tasks_[child].at_end = self;
  if (!tasks_[parent].depends) tasks_[parent].depends = std::make_unique<DependTable>();
  DependTable& table = *tasks_[parent].depends;
  std::vector<ObjectIndex>& waits = tasks_[child].predecessors;
  auto wait_for = [&](const std::vector<ObjectIndex>& objects) {
    for (ObjectIndex object : objects)
      if (object != self) hold(object), waits.push_back(object);
  };
  auto drop = [&](std::vector<ObjectIndex>& objects) {
    for (ObjectIndex object : objects) let_go(object);
    objects.clear();
  };
  bool all = std::any_of(depends.begin(), depends.end(),
                         [](const Depend& d) { return d.kind == DependKind::kAllMemory; });
  if (all) {
    for (auto& [address, generation] : table.by_address) {
      wait_for(generation.members);
      drop(generation.members);
      drop(generation.before);
    }
    table.by_address.clear();
    if (table.all_memory != kNone) {
      wait_for({table.all_memory});
      let_go(table.all_memory);
    }
    hold(self);
    table.all_memory = self;
    return;  // later tasks wait for it whatever its other clauses are
  }
  for (const Depend& d : depends) {
    auto [found, is_new] = table.by_address.try_emplace(d.address);
    DependTable::Generation& g = found->second;
    bool joins = !is_new && d.kind != DependKind::kOut && g.kind == d.kind;
    if (!joins) {
      drop(g.before);
      g.before = std::exchange(g.members, {});
      if (is_new && table.all_memory != kNone) {
        hold(table.all_memory);
        g.before.push_back(table.all_memory);
      }
      g.kind = d.kind;
    }
    wait_for(g.before);
    hold(self);
    g.members.push_back(self);
  }
}

void Lowering::wait_depend(TaskIndex task, const std::vector<Depend>& depends) {
  if (!tasks_[task].depends) return;
  DependTable& table = *tasks_[task].depends;
  for (const Depend& d : depends) {
    if (table.all_memory != kNone) sink_.await(task, table.all_memory);
    if (d.kind == DependKind::kAllMemory) {
      for (auto& [address, generation] : table.by_address)
        for (ObjectIndex object : generation.members) sink_.await(task, object);
      continue;
    }
    auto found = table.by_address.find(d.address);
    if (found == table.by_address.end()) continue;
    DependTable::Generation& g = found->second;
    bool shares = d.kind != DependKind::kOut && g.kind == d.kind;
    for (ObjectIndex object : shares ? g.before : g.members) sink_.await(task, object);
  }
}

void Lowering::new_memory(TaskIndex task, u64 address, u64 size) {
  u64 first = address & ~u64{7}, last = (address + size + 7) & ~u64{7};
  if (size > 0) sink_.new_memory(task, first, last - first);
}

void Lowering::add(const Event& event) {
  std::visit(
      Handlers{
          [&](const event::Access& e) {
            TaskIndex task = find(e.task);
            const Place& place = places_[task];
            u32 bound_to = place.bound || e.bound ? place.thread + 1 : 0;
            sink_.access(task, {e.address, e.size, e.write, e.atomic, e.site, bound_to});
          },
          [&](const NewMemory& e) { new_memory(find_or_initial(e.task), e.address, e.size); },
          [&](const Spawn& e) {
            TaskIndex parent = find(e.task);
            bool thread = e.kind == SpawnKind::kThread;
            u32 region = thread ? kNone : region_of_children(tasks_[parent]);
            if (e.kind == SpawnKind::kBeside) {
              Ref above = tasks_[parent].parent;
              region = tasks_[parent].region;
              TaskIndex beside = make(e.child, above, region);
              sink_.fork(parent, beside);
              if (is_live(above)) add_child(above.index, beside);
              enter(region, beside);
              return;
            }
            TaskIndex child = make(e.child, ref(parent), region);
            tasks_[child].undeferred = e.kind == SpawnKind::kUndeferred;
            sink_.fork(parent, child);
            if (thread) return;
            depend(parent, child, e.depends);
            if (tasks_[child].undeferred) return;
            add_child(parent, child);
            enter(region, child);
          },
          [&](const Begin& e) {
            TaskIndex task = find(e.task);
            places_[task].thread = e.thread;
            sink_.begin(task, e.thread);
            for (ObjectIndex object : tasks_[task].predecessors) {
              sink_.await(task, object);
              let_go(object);
            }
            tasks_[task].predecessors.clear();
          },
          [&](const End& e) {
            TaskIndex index = find(e.task);
            Task& task = tasks_[index];
            if (task.at_end != kNone) {
              sink_.signal(index, task.at_end, false);
              let_go(task.at_end);
            }
            // Groups left open: a wait for the task also waits for their tasks.
            u32 outer = resolve(task.region);
            while (!task.groups.empty()) {
              Region& open = regions_[task.groups.back()];
              task.groups.pop_back();
              open.abandoned = true;
              open.joined_by = outer;
              if (outer != kNone)
                for (const Ref& inside : open.pending)
                  if (is_live(inside)) regions_[outer].pending.push_back(inside);
              open.pending.clear();
            }
            sink_.end(index);
            if (task.undeferred) join(task.parent.index, index);
          },
          [&](const JoinThread& e) {
            TaskIndex child = find(e.child);
            join(find(e.task), child);
          },
          [](const DetachThread&) {},
          [&](const WaitChildren& e) {
            TaskIndex task = find(e.task);
            std::vector<Ref> children = std::move(tasks_[task].children);
            join_all(task, children);
            tasks_[task].children = std::move(children);
          },
          [&](const WaitDepend& e) { wait_depend(find(e.task), e.depends); },
          [&](const GroupOpen& e) {
            TaskIndex task = find(e.task);
            tasks_[task].groups.push_back(open_region(region_of_children(tasks_[task])));
          },
          [&](const GroupClose& e) {
            TaskIndex task = find(e.task);
            if (tasks_[task].groups.empty())
              throw NoHistory("task " + std::to_string(e.task) + " closes a group that it has not opened");
            u32 region = tasks_[task].groups.back();
            tasks_[task].groups.pop_back();
            join_all(task, regions_[region].pending);
            close_region(region);
          },
          [&](const Fork& e) {
            TaskIndex task = find(e.task);
            Team& team = teams_[e.team];
            team.parent = task;
            team.region = open_region(region_of_children(tasks_[task]));
          },
          [&](const TeamBegin& e) { team_begins(e.task, e.team, e.thread, true); },
          [&](const WorkBegin& e) { team_begins(e.task, e.team, e.thread, false); },
          [&](const BarrierArrive& e) {
            TaskIndex task = find(e.task);
            Team& team = team_of(e.team);
            ObjectIndex& object = team.barrier[team.phase % 2];
            if (object == kNone) object = new_object();
            sink_.signal(task, object, team.arrived++ == 0);
          },
          [&](const BarrierLeave& e) { leave_barrier(find(e.task), team_of(e.team)); },
          [&](const Join& e) {
            TaskIndex task = find(e.task);
            Team& team = team_of(e.team);
            join_all(task, regions_[team.region].pending);
            for (TaskIndex thread : team.threads) join(task, thread);
            close_region(team.region);
            for (ObjectIndex object : team.barrier)
              if (object != kNone) forget(object);
            teams_.erase(e.team);
          },
          [&](const Signal& e) { sink_.signal(find(e.task), object_of(e.object), e.replace); },
          [&](const Await& e) { sink_.await(find(e.task), object_of(e.object)); },
          [&](const Acquire& e) {
            TaskIndex task = find(e.task);
            for (Held& held : tasks_[task].held)
              if (held.lock == e.lock) {
                ++held.depth;
                return;
              }
            tasks_[task].held.push_back({e.lock, 1, e.write});
            sink_.acquire(task, e.lock, e.write);
          },
          [&](const Release& e) {
            TaskIndex task = find(e.task);
            auto& held = tasks_[task].held;
            for (usize i = held.size(); i-- > 0;)
              if (held[i].lock == e.lock) {
                if (--held[i].depth > 0) return;
                bool write = held[i].write;
                held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
                sink_.release(task, e.lock, write);
                return;
              }
          },
          [&](const Bind& e) { places_[find(e.task)].bound = true; },
      },
      event);
}

}  // namespace heddle::engine
