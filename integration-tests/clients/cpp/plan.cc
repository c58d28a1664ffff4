// Plans two tasks, then follows the search for a plan of a file.
//
// Usage: plan HOST:PORT PROBLEM.json

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include <google/protobuf/util/json_util.h>
#include <grpcpp/grpcpp.h>

#include "stratagem/v1/allocation.grpc.pb.h"

namespace {

namespace v1 = stratagem::v1;

void Set(v1::AllocationPlace* place, double x, double y) {
  place->mutable_point()->set_x(x);
  place->mutable_point()->set_y(y);
}

void AddAgent(v1::AllocationProblem* problem, const std::string& id, double x, double y) {
  v1::AllocationAgent* agent = problem->add_agents();
  agent->set_id(id);
  Set(agent->mutable_start(), x, y);
}

void AddTask(v1::AllocationProblem* problem, const std::string& id, double x, double y,
             int seconds) {
  v1::AllocationTask* task = problem->add_tasks();
  task->set_id(id);
  Set(task->mutable_place(), x, y);
  task->mutable_service_duration()->set_seconds(seconds);
}

// A problem as in proto/examples/allocation.
v1::AllocationProblem Read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  v1::AllocationProblem problem;
  const auto status = google::protobuf::util::JsonStringToMessage(text.str(), &problem);
  if (!status.ok()) {
    std::cerr << path << ": " << status.ToString() << "\n";
    std::exit(EXIT_FAILURE);
  }
  return problem;
}

// The tasks of each agent, in their order.
void Print(const v1::AllocationPlan& plan) {
  for (const v1::AllocationRoute& route : plan.routes()) {
    std::cout << route.agent_id() << ":";
    for (const v1::AllocationStop& stop : route.stops()) std::cout << " [" << stop.task_id() << "]";
    std::cout << "\n";
  }
}

void Check(const grpc::Status& status) {
  if (status.ok()) return;
  std::cerr << status.error_code() << ": " << status.error_message() << "\n";
  std::exit(EXIT_FAILURE);
}

// A call without a deadline can wait without bound.
void SetDeadline(grpc::ClientContext* context) {
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
}

// The best plan that is found by the deadline.
void Plan(v1::AllocationService::Stub* allocation, const v1::AllocateTasksRequest& request) {
  grpc::ClientContext context;
  SetDeadline(&context);
  v1::AllocateTasksResponse response;
  Check(allocation->AllocateTasks(&context, request, &response));
  std::cout << "status " << v1::SolveStatus_Name(response.report().status()) << "\n";
  Print(response.plan());
}

// Better and better plans; the last message has the report.
void Follow(v1::AllocationService::Stub* allocation, const v1::AllocateTasksRequest& request) {
  grpc::ClientContext context;
  SetDeadline(&context);
  const auto reader = allocation->StreamAllocateTasks(&context, request);
  v1::AllocateTasksResponse step;
  while (reader->Read(&step)) {
    std::cout << "step " << step.event().sequence() << ": ";
    std::cout << step.plan().routes_size() << " routes\n";
    if (step.has_report()) {
      std::cout << "end " << v1::StopReason_Name(step.report().stop_reason()) << "\n";
    }
  }
  Check(reader->Finish());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: plan HOST:PORT PROBLEM.json\n";
    return EXIT_FAILURE;
  }
  // One channel for the whole process; grpc::SslCredentials where the server or a proxy speaks TLS.
  const auto channel = grpc::CreateChannel(argv[1], grpc::InsecureChannelCredentials());
  const auto allocation = v1::AllocationService::NewStub(channel);

  v1::AllocateTasksRequest request;
  AddAgent(request.mutable_problem(), "scout", 0, 0);
  AddAgent(request.mutable_problem(), "ogre", 9, 9);
  AddTask(request.mutable_problem(), "gate", 3, 4, 5);
  AddTask(request.mutable_problem(), "wall", 8, 2, 20);
  request.mutable_options()->set_seed(7);
  Plan(allocation.get(), request);

  *request.mutable_problem() = Read(argv[2]);
  request.mutable_options()->set_max_iterations(300);
  Follow(allocation.get(), request);
  return EXIT_SUCCESS;
}
