-- wrk script: sends one fixed request over and over and prints one JSON line with what wrk counted.
-- BODY is a file with the request body (none: GET), HEADERS a file with one "name: value" a line, FRESH the name of a
-- header that gets another value in each request (none: all requests are the same).
local body_file = os.getenv("BODY")
if body_file and body_file ~= "" then
  local file = io.open(body_file, "rb")
  wrk.method = "POST"
  wrk.body = file:read("*a")
  file:close()
end

for line in io.lines(os.getenv("HEADERS")) do
  local name, value = line:match("^([^:]+): (.*)$")
  if name then wrk.headers[name] = value end
end

local fresh = os.getenv("FRESH")
if fresh and fresh ~= "" then
  local number = 0
  function request()
    number = number + 1
    wrk.headers[fresh] = string.format("7f0c2c3e-91d2-4a55-8e0a-%012d", number)
    return wrk.format()
  end
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,"errors":%d}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
