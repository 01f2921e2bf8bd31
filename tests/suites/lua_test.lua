-- What projects.sh has Lua compute: every part of the interpreter and its libraries has its say, and
-- what is printed depends on nothing but the language.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print("calls", fib(20))

local sum, words = 0, {}
for i = 1, 20000 do words[i] = tostring(i * 7919 % 20011) end
table.sort(words)
for i, w in ipairs(words) do sum = (sum * 31 + #w + i) % 1000003 end
print("sort", words[1], words[#words], sum)

local steps = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i, i * i) end return "end" end)
print("coroutine", steps(), steps(), steps(), steps())

print("error", pcall(error, { code = 7 }) == false, select(2, pcall(error, "text", 0)))
print("nested", pcall(pcall, error), xpcall(function() local x = nil; return x.y end, function(m) return m:match("nil value") end))
local deep = 0
local function recurse() deep = deep + 1; return recurse() + 1 end
print("overflow", pcall(recurse) == false, deep > 1000)

local class = setmetatable({}, { __call = function(_, v) return setmetatable({ v = v }, { __add = function(a, b) return a.v + b.v end,
	__index = function(_, k) return k .. "?" end, __len = function() return 42 end, __close = function() print("closed") end,
	__eq = function() return true end, __tostring = function(s) return "<" .. s.v .. ">" end, __concat = function() return "cat" end }) end })
do
	local a <close> = class(3)
	print("metatables", a + class(4), a.none, #a, a == class(5), tostring(a), a .. a)
end

print("strings", ("%5.2f|%-6s|%q|%x"):format(3.14159, "ab", 'a"\n', 255), ("x"):rep(5, ","), ("hello world"):gsub("o", "0"))
for k, v in ("a=1, b=2, c=3"):gmatch("(%w)=(%d)") do io.write(k, v, " ") end
print(("abc"):byte(1, -1), utf8.char(228, 8364), utf8.len("ä€"))
print("pack", string.unpack("<i4 z d", string.pack("<i4 z d", -5, "text", 0.5)))
print("numbers", 7 // 2, -7 // 2, 7 % -3, 2 ^ 10, 1 << 40, ~0, math.maxinteger + 1 == math.mininteger, 0x7fp-3, math.type(1 // 1.0))
print("load", load("local a, b = ...; return a * b")(6, 7), load("x ="))
for _ = 1, 3 do goto continue end
::continue::
local weak = setmetatable({}, { __mode = "k" })
for i = 1, 1000 do weak[{}] = i end
collectgarbage()
print("collected", next(weak), collectgarbage("count") > 0, collectgarbage("step", 100) ~= nil)
collectgarbage("generational")
for i = 1, 20000 do weak = { weak, i % 100 == 0 and 0 or nil } if i % 100 == 0 then weak = {} end end
local file = io.tmpfile()
file:write("one\ntwo\n3.5 4\n")
file:seek("set")
print("files", file:read("l", "L", "n", "n"))
file:close()
print("dump", load(string.dump(function(x) return x and x + 1 or "none" end))(41), os.time { year = 2000, month = 1, day = 1, hour = 12 } > 0)
