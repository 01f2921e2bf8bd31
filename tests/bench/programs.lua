-- SPDX-License-Identifier: BSD-3-Clause
-- What Lua programs usually do: calls, tables, strings, closures, searches in text.
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
local function sieve(n)
	local composite, count = {}, 0
	for i = 2, n do
		if not composite[i] then
			count = count + 1
			for k = i * i, n, i do composite[k] = true end
		end
	end
	return count
end
local function words(n)
	local count, text = {}, {}
	for i = 1, n do text[#text + 1] = string.format("word%d", i * 7919 % 1013) end
	for word in table.concat(text, " "):gmatch("%a+%d+") do
		count[word] = (count[word] or 0) + 1
	end
	local sorted = {}
	for word in pairs(count) do sorted[#sorted + 1] = word end
	table.sort(sorted, function(a, b) return a < b end)
	return #sorted, sorted[1], count[sorted[1]]
end
local Point = {}
Point.__index = Point
Point.__add = function(a, b) return setmetatable({ x = a.x + b.x }, Point) end
local function points(n)
	local sum = setmetatable({ x = 0 }, Point)
	for i = 1, n do sum = sum + setmetatable({ x = i }, Point) end
	return sum.x
end
print(fib(34), sieve(4000000), points(5000000))
print(words(1000000))
