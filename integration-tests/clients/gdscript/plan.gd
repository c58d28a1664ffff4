# Plans two tasks, then follows the search for a plan of a file, with JSON over HTTP and without add-ons.
#
# Usage: godot3-server -s plan.gd HOST:PORT PROBLEM.json
#
# For Godot 3. In a node write `get_tree()` for `self` in `yield(self, "idle_frame")` and before `quit()`, and `self` for `root`.
# Godot 4 has other names, as in `await`, `JSON.stringify` and `PackedByteArray`, and no third argument of `HTTPRequest.request`.
extends SceneTree

const SERVICE = "/stratagem.v1.AllocationService/"
const HEADERS = ["content-type: application/json"]
# The server searches for this time, and sends its best plan.
const OPTIONS = {"time_budget": "2s", "seed": 7}
# Time after which a call ends whose server does not answer.
const DEADLINE_S = 10
const UNAVAILABLE = {"code": "UNAVAILABLE", "message": "the server does not answer"}

# A step of `follow`: a better plan, and in the last one the report.
signal followed(step)


# The best plan that is found in time, with its report, or an error with a code.
func plan(address, problem):
	var http = HTTPRequest.new()
	http.timeout = DEADLINE_S
	root.call_deferred("add_child", http)
	yield(http, "ready")
	var body = to_json({"problem": problem, "options": OPTIONS})
	var url = "http://" + address + SERVICE + "AllocateTasks"
	if http.request(url, HEADERS, true, HTTPClient.METHOD_POST, body) != OK:
		http.queue_free()
		return UNAVAILABLE
	# Its elements: RESULT_SUCCESS or a failure, the status of HTTP, headers, body.
	var response = yield(http, "request_completed")
	http.queue_free()
	return parsed(response[3].get_string_from_utf8())


# Emits `followed` for each step of the search. Returns an error with a code, or null.
func follow(address, problem):
	var end = OS.get_ticks_msec() + 1000 * DEADLINE_S
	var http = HTTPClient.new()
	http.connect_to_host(address.split(":")[0], int(address.split(":")[1]))
	yield(leave(http, [HTTPClient.STATUS_RESOLVING, HTTPClient.STATUS_CONNECTING], end), "completed")
	if http.get_status() != HTTPClient.STATUS_CONNECTED:
		return UNAVAILABLE
	var body = to_json({"problem": problem, "options": OPTIONS})
	if http.request(HTTPClient.METHOD_POST, SERVICE + "StreamAllocateTasks", HEADERS, body) != OK:
		return UNAVAILABLE
	yield(leave(http, [HTTPClient.STATUS_REQUESTING], end), "completed")
	var bytes = PoolByteArray()
	while http.get_status() == HTTPClient.STATUS_BODY and OS.get_ticks_msec() < end:
		http.poll()
		bytes += http.read_response_body_chunk()
		# Each line is a step, and may come in parts.
		if bytes.size() > 0 and bytes[bytes.size() - 1] == ord("\n"):
			for line in bytes.get_string_from_utf8().split("\n", false):
				var message = parsed(line)
				if not message.has("result"):
					return message.get("error", message)
				emit_signal("followed", message.result)
				if message.result.has("report"):
					return null
			bytes = PoolByteArray()
		yield(self, "idle_frame")
	# An error before the first step has no line.
	return parsed(bytes.get_string_from_utf8())


# Waits until a connection has left these states. The game runs meanwhile.
func leave(http, states, end):
	yield(self, "idle_frame")
	while http.get_status() in states and OS.get_ticks_msec() < end:
		http.poll()
		yield(self, "idle_frame")


# A response, or an error where a server that is lost has sent none.
func parsed(text):
	var message = JSON.parse(text).result
	return message if message is Dictionary else UNAVAILABLE


# Ends the program with the parts of an error: docs/reference/errors.md has all reasons.
func fail(error):
	print("%s %s: %s" % [error.code, error.get("reason", ""), error.message])
	for mistake in error.get("violations", []):
		print("%s %s" % [mistake.field, mistake.reason])
	quit(1)


func show(step):
	# Empty lists and fields without a value are left out.
	print("step %d: %d routes" % [step.event.sequence, step.get("plan", {}).get("routes", []).size()])
	if step.has("report"):
		print("end ", step.report.stop_reason)


func _initialize():
	var words = OS.get_cmdline_args()
	var address = words[words.size() - 2]
	var scout = {"id": "scout", "start": {"point": {"x": 0, "y": 0}}}
	var ogre = {"id": "ogre", "start": {"point": {"x": 9, "y": 9}}}
	var gate = {"id": "gate", "place": {"point": {"x": 3, "y": 4}}, "service_duration": "5s"}
	var wall = {"id": "wall", "place": {"point": {"x": 8, "y": 2}}, "service_duration": "20s"}
	var answer = yield(plan(address, {"agents": [scout, ogre], "tasks": [gate, wall]}), "completed")
	if answer.has("code"):
		return fail(answer)
	print("status ", answer.report.status)
	for route in answer.get("plan", {}).get("routes", []):
		var line = route.agent_id + ":"
		for stop in route.get("stops", []):
			line += " [%s]" % stop.task_id
		print(line)

	var file = File.new()
	file.open(words[words.size() - 1], File.READ)
	connect("followed", self, "show")
	var error = yield(follow(address, parse_json(file.get_as_text())), "completed")
	if error:
		return fail(error)
	quit()
