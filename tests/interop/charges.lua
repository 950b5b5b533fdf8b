-- For wrk: every request has a key of its own; the keys answered 201 are written down.
local threads = 0
function setup(thread)
    threads = threads + 1
    thread:set("number", threads)
end
function init(args)
    folder = args[1]
    prefix = args[2] .. "-" .. number .. "-"
    sent = 0
    answered = io.open(folder .. "/answered." .. number, "w")
    answered:setvbuf("line")
end
function request()
    sent = sent + 1
    return wrk.format("POST", "/v1/charges",
        { ["Content-Type"] = "application/json", ["Idempotency-Key"] = prefix .. sent },
        '{"order_id":"W-1","amount":1,"currency":"JPY","source":"card_ok"}')
end
function response(status, headers, body)
    if status == 201 then
        answered:write(string.match(body, '"idempotency_key":"([^"]*)"'), "\n")
    end
end
