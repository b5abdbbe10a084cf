/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a page can do beyond being read: filter, copy, and of a soak's charts
 * zoom and tell values. Text from the run is only ever set as text.
 */
"use strict";
(function () {
	const SVG = "http://www.w3.org/2000/svg";

	function make(parent, name, attributes, text) {
		const one = name === "svg" || parent instanceof SVGElement ?
			document.createElementNS(SVG, name) :
			document.createElement(name);

		for (const key of Object.keys(attributes || {}))
			one.setAttribute(key, attributes[key]);
		if (text !== undefined)
			one.textContent = text;
		parent.appendChild(one);
		return one;
	}

	/* ---- lines to paste ---- */

	function select(code) {
		const range = document.createRange();

		range.selectNodeContents(code);
		getSelection().removeAllRanges();
		getSelection().addRange(range);
	}

	function addCopy(paste) {
		const code = paste.querySelector("code");
		let button;

		if (!code)
			return;
		button = make(paste, "button", { type: "button" }, "Copy");
		button.addEventListener("click", function () {
			select(code);
			try {
				document.execCommand("copy");
				button.textContent = "Copied";
			} catch (error) {
				button.textContent = "Selected";
			}
		});
	}

	/* ---- places ---- */

	/* The path to open is one of this machine if the page is, too. */
	function showEditorLinks() {
		if (location.protocol !== "file:")
			return;
		for (const link of document.querySelectorAll(".edit"))
			link.hidden = false;
	}

	/* ---- the filter ---- */

	function startFilter(form) {
		const input = form.querySelector("#filter-text");
		const boxes = Array.from(form.querySelectorAll("[type=checkbox]"));
		const count = form.querySelector("#filter-count");
		const rows = Array.from(document.querySelectorAll("[data-v]"));
		const texts = rows.map(() => null);

		function apply() {
			const words = input.value.toLowerCase().split(/\s+/)
				.filter((word) => word);
			const on = new Set(boxes.filter((box) => box.checked)
				.map((box) => box.value));
			const all = on.size === boxes.length;
			let shown = 0;

			rows.forEach(function (row, i) {
				let is = all || row.dataset.v.split(" ")
					.some((verdict) => on.has(verdict));

				if (is && words.length > 0) {
					texts[i] = texts[i] ||
						(row.closest(".site") || row)
						.textContent.toLowerCase();
					is = words.every((word) =>
						texts[i].includes(word));
				}
				row.hidden = !is;
				shown += is ? 1 : 0;
			});
			/* What has nothing left is not there, either. */
			for (const group of document.querySelectorAll(
				".site, .cases tbody"))
				group.hidden = !group.querySelector(
					"[data-v]:not([hidden])");
			count.textContent = shown === rows.length ?
				rows.length + " shown" :
				shown + " of " + rows.length + " shown";
		}

		form.hidden = false;
		form.addEventListener("submit", (event) => event.preventDefault());
		form.addEventListener("input", apply);
		apply();
	}

	/* ---- numbers ---- */

	function trim(value) {
		return value >= 100 ? value.toFixed(0) :
			String(Number(value.toPrecision(3)));
	}

	function say(value, unit) {
		const names = ["bytes", "KiB", "MiB", "GiB", "TiB"];
		let i = 0;

		if (value === null || value === undefined)
			return "not measured";
		if (unit === "bytes") {
			while (Math.abs(value) >= 1024 && i < 4) {
				value /= 1024;
				i++;
			}
			return (i > 0 ? value.toFixed(Math.abs(value) < 100 ? 1 :
				0) : value.toFixed(0)) + " " + names[i];
		}
		if (unit === "ms")
			return trim(value) + " ms";
		return (Number.isInteger(value) || Math.abs(value) >= 100 ?
			Math.round(value).toLocaleString("en-US") : trim(value)) +
			(unit ? " " + unit : "");
	}

	function two(value) {
		return String(value).padStart(2, "0");
	}

	function sayTime(ms) {
		const s = Math.floor(ms / 1000);
		const days = Math.floor(s / 86400);
		const clock = two(Math.floor(s / 60) % 60) + ":" + two(s % 60);

		if (s < 60)
			return (ms / 1000).toFixed(ms % 1000 ? 1 : 0) + " s";
		if (s < 3600)
			return Math.floor(s / 60) + ":" + two(s % 60) + " min";
		return days ? days + " d " + two(Math.floor(s / 3600) % 24) + ":" +
			clock : Math.floor(s / 3600) + ":" + clock + " h";
	}

	function sayTick(ms, step) {
		const s = Math.floor(ms / 1000);

		if (ms <= 0)
			return "0";
		if (step >= 86400e3)
			return s / 86400 + " d";
		if (step >= 3600e3)
			return s / 3600 + " h";
		if (s >= 3600)
			return Math.floor(s / 3600) + ":" +
				two(Math.floor(s / 60) % 60) +
				(step < 60e3 ? ":" + two(s % 60) : "") + " h";
		if (step >= 60e3)
			return s / 60 + " min";
		return s >= 60 ? Math.floor(s / 60) + ":" + two(s % 60) + " min" :
			ms / 1000 + " s";
	}

	/* ---- axes, as html_scale.c does ---- */

	function timeTicks(from, to, most) {
		const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3,
			1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5,
			72e5, 108e5, 216e5, 432e5, 864e5, 1728e5, 432e6, 864e6,
			2592e6, 864e7, 31536e6, 31536e7];
		const step = steps.find((one) => (to - from) / one <= most) ||
			steps[steps.length - 1];
		const ticks = [];

		for (let t = Math.ceil(from / step) * step; t <= to; t += step)
			ticks.push(t);
		return { step: step, ticks: ticks };
	}

	function roundStep(unit, range) {
		const step = range / 5;
		let base = 1, power;

		while (unit === "bytes" && step >= 1024 * base)
			base *= 1024;
		if (unit === "bytes" && step > 500 * base)
			return 1024 * base;
		power = Math.pow(10, Math.floor(Math.log10(step / base)));
		for (const one of [1, 2, 5])
			if (one * power * base >= step)
				return one * power * base;
		return 10 * power * base;
	}

	function valueScale(chart, least, largest, start, end) {
		const scale = { ticks: [] };
		let step, range;

		if (chart.log && least > 0 && largest / least > 20) {
			scale.from = Math.pow(10, Math.floor(Math.log10(least)));
			scale.to = Math.pow(10, Math.ceil(Math.log10(largest * 1.0001)));
			for (let y = scale.from; y <= scale.to * 1.0001; y *= 10)
				scale.ticks.push(y);
			scale.at = (y) => start + (end - start) *
				Math.log(Math.max(y, scale.from) / scale.from) /
				Math.log(scale.to / scale.from);
			return scale;
		}
		if (least > 0 && least < 0.6 * largest)
			least = 0;
		range = Math.max(largest - least, 0.02 * Math.abs(largest)) || 1;
		step = roundStep(chart.unit, range);
		if ((chart.unit === "" || chart.unit === "bytes") && step < 1)
			step = 1;
		scale.from = Math.floor(least / step) * step;
		scale.to = Math.ceil(largest / step) * step;
		if (!(scale.to > scale.from))
			scale.to = scale.from + step;
		for (let i = 0; scale.from + i * step <= scale.to + step / 2; i++)
			scale.ticks.push(scale.from + i * step);
		scale.at = (y) => start + (end - start) * (y - scale.from) /
			(scale.to - scale.from);
		return scale;
	}

	/* ---- charts ---- */

	const view = { from: 0, to: 1, end: 1 };
	const plots = [];

	/* The first bucket at or after a time. */
	function search(times, t) {
		let low = 0, high = times.length;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (times[middle] < t)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	function frame(plot, left, height) {
		const width = Math.max(plot.box.clientWidth, 260);
		const svg = document.createElementNS(SVG, "svg");

		svg.setAttribute("viewBox", "0 0 " + width + " " + height);
		svg.setAttribute("aria-hidden", "true");
		plot.left = left;
		plot.right = width - 12;
		plot.width = width;
		plot.x = (t) => left + (t - view.from) / (view.to - view.from) *
			(plot.right - left);
		plot.ink = make(svg, "g", { "class": "ink", "font-size": 12,
			"font-family": "sans-serif" });
		return svg;
	}

	function drawTime(plot, top, bottom, below) {
		const axis = timeTicks(view.from, view.to, plot.width < 480 ? 4 : 9);

		for (const t of axis.ticks) {
			const x = plot.x(t);

			make(plot.ink, "path", { "class": "grid",
				d: "M" + x.toFixed(1) + " " + top + "V" + bottom });
			make(plot.ink, "text", { x: x.toFixed(1),
				y: bottom + below, "text-anchor":
				x > plot.width - 40 ? "end" : "middle" },
				sayTick(t, axis.step));
		}
	}

	/* Points of one line in view, at most some hundreds: joined by columns. */
	function columns(plot, line, first, last) {
		const times = plot.data.t;
		const step = Math.max(1, Math.ceil((last - first) / 400));
		const points = [];

		for (let i = first; i < last; i += step) {
			let v = 0, n = 0, l = Infinity, h = -Infinity;

			for (let j = i; j < i + step && j < last; j++) {
				if (line.v[j] === null)
					continue;
				v = line.peak ? Math.max(v, line.v[j]) :
					v + line.v[j];
				n++;
				l = Math.min(l, line.l ? line.l[j] : line.v[j]);
				h = Math.max(h, line.h ? line.h[j] : line.v[j]);
			}
			points.push(n ? { t: times[i], v: line.peak ? v : v / n,
				l: l, h: h } : null);
		}
		return points;
	}

	function drawLine(plot, scale, points, k) {
		const at = (t, y) => plot.x(t).toFixed(1) + " " +
			scale.at(y).toFixed(1);
		let line = "", up = [], down = [], band = "", begun = false;

		function close() {
			if (up.length > 1)
				band += "M" + up.join("L") + "L" +
					down.reverse().join("L") + "Z";
			up = [];
			down = [];
			begun = false;
		}

		for (const point of points) {
			if (!point) {
				close();
				continue;
			}
			line += (begun ? "L" : "M") + at(point.t, point.v) +
				(begun ? "" : "h.1");
			begun = true;
			up.push(at(point.t, point.h));
			down.push(at(point.t, point.l));
		}
		close();
		make(plot.ink, "path", { "class": "band s" + k, d: band });
		make(plot.ink, "path", { "class": "line s" + k, d: line });
	}

	function drawMarks(plot, top, bottom) {
		for (const lane of plot.data.lanes) {
			let marks = "", lines = "";

			for (const mark of lane.marks) {
				if (mark[0] < view.from || mark[0] > view.to)
					continue;
				const x = plot.x(mark[0]).toFixed(1);

				marks += "M" + x + " " + (bottom + 2) + "l4 8h-8z";
				lines += "M" + x + " " + top + "V" + bottom;
			}
			make(plot.ink, "path", { "class": "mark " + lane["class"],
				d: marks });
			if (lane["class"] === "f")
				make(plot.ink, "path", { "class": "fail",
					"stroke-opacity": 0.45, d: lines });
		}
	}

	function drawChart(plot) {
		const height = 230, top = 12, bottom = height - 44;
		const svg = frame(plot, 74, height);
		const times = plot.data.t;
		const first = Math.max(0, search(times, view.from) - 1);
		const last = Math.min(times.length, search(times, view.to) + 2);
		const lines = plot.chart.lines.map((line) =>
			columns(plot, line, first, last));
		let least = Infinity, largest = -Infinity, scale;

		for (const point of lines.flat()) {
			if (!point)
				continue;
			if (!plot.chart.log || point.l > 0)
				least = Math.min(least, point.l);
			largest = Math.max(largest, point.h);
		}
		if (!(least <= largest))
			least = largest = 0;
		scale = valueScale(plot.chart, least, largest, bottom, top);
		plot.top = top;
		plot.bottom = bottom;
		drawTime(plot, top, bottom, 28);
		for (const tick of scale.ticks) {
			const y = scale.at(tick);

			make(plot.ink, "path", { "class": "grid", d: "M" + plot.left +
				" " + y.toFixed(1) + "H" + plot.right });
			make(plot.ink, "text", { x: plot.left - 6,
				y: (y + 4).toFixed(1), "text-anchor": "end" },
				plot.chart.unit === "a second" ?
				say(tick, "") + "/s" : say(tick, plot.chart.unit));
		}
		make(make(svg, "clipPath", { id: "clip-" + plot.name }), "rect",
			{ x: plot.left, y: 0, width: plot.right - plot.left,
			  height: height });
		const ink = plot.ink;

		plot.ink = make(ink, "g", { "clip-path":
			"url(#clip-" + plot.name + ")" });
		/* Of latencies the shade is up to the next line. */
		if (plot.chart.log)
			lines.forEach((points, k) => points.forEach((point, i) => {
				const next = lines[k + 1] && lines[k + 1][i];

				if (point) {
					point.l = point.v;
					point.h = next ? next.v : point.v;
				}
			}));
		lines.forEach((points, k) => drawLine(plot, scale, points, k));
		drawMarks(plot, top, bottom);
		return svg;
	}

	function drawTimeline(plot) {
		const lane = 22, top = 12;
		const bottom = top + plot.data.lanes.length * lane;
		const svg = frame(plot, 94, bottom + 32);

		plot.top = top;
		plot.bottom = bottom;
		drawTime(plot, top, bottom, 16);
		plot.data.lanes.forEach(function (one, i) {
			const y = top + (i + 0.5) * lane;

			make(plot.ink, "text", { x: plot.left - 8, y: y + 4,
				"text-anchor": "end" }, one.kind.slice(0, 12));
			for (const mark of one.marks) {
				if (mark[0] < view.from || mark[0] > view.to)
					continue;
				make(plot.ink, "circle", { "class": "event " +
					one["class"], "fill-opacity": 0.75,
					cx: plot.x(mark[0]).toFixed(1), cy: y,
					r: Math.min(4 + Math.log2(mark[2]), 9) });
			}
		});
		return svg;
	}

	function draw(plot) {
		const svg = plot.chart ? drawChart(plot) : drawTimeline(plot);

		plot.svg.replaceWith(svg);
		plot.svg = svg;
		plot.box.classList.add("live");
		plot.drawn = view.from + "-" + view.to + "-" + plot.box.clientWidth;
		plot.cursor = null;
	}

	/* ---- what a chart says of a moment ---- */

	function tellChart(plot, t) {
		const times = plot.data.t;
		let i = search(times, t);
		const lines = [];

		if (i > 0 && (i === times.length || t - times[i - 1] < times[i] - t))
			i--;
		lines.push(sayTime(times[i]));
		for (const line of plot.chart.lines) {
			let text = line.title + ": " + say(line.v[i], plot.chart.unit);

			if (line.l && line.l[i] < line.h[i])
				text += " (" + say(line.l[i], plot.chart.unit) +
					" to " + say(line.h[i], plot.chart.unit) + ")";
			lines.push(text);
		}
		return { t: times[i], lines: lines };
	}

	/* Events that are within some pixels. */
	function tellEvents(plot, t) {
		const near = (view.to - view.from) / (plot.right - plot.left) * 6;
		const lines = [];

		for (const lane of plot.data.lanes)
			for (const mark of lane.marks) {
				if (mark[0] > t + near || mark[1] < t - near)
					continue;
				lines.push(sayTime(mark[0]) + " " + lane.kind +
					(mark[2] > 1 ? " \u00d7 " + mark[2] : "") +
					(mark[3] ? " (INJECTED)" : "") + ": " +
					mark[4]);
			}
		return lines.length > 6 ? lines.slice(0, 6).concat([
			(lines.length - 6) + " more events"]) : lines;
	}

	function tell(plot, t) {
		const said = plot.chart && plot.data.t.length > 0 ?
			tellChart(plot, t) : { t: t, lines: [] };
		const lines = said.lines.concat(tellEvents(plot, t));
		const x = plot.x(said.t);

		if (!plot.cursor)
			plot.cursor = make(plot.svg, "path", { "class": "cursor" });
		plot.cursor.setAttribute("d", "M" + x.toFixed(1) + " " + plot.top +
			"V" + plot.bottom);
		plot.t = said.t;
		plot.tip.textContent = lines.join("\n");
		plot.tip.hidden = lines.length === 0;
		plot.tip.style.left = x > plot.width / 2 ? "auto" :
			x / plot.width * 100 + 2 + "%";
		plot.tip.style.right = x > plot.width / 2 ?
			100 - x / plot.width * 100 + 2 + "%" : "auto";
	}

	function hush(plot) {
		plot.tip.hidden = true;
		if (plot.cursor)
			plot.cursor.remove();
		plot.cursor = null;
	}

	/* ---- zoom ---- */

	function show(from, to) {
		const least = Math.min(view.end, 10);

		if (to - from < least)
			to = from + least;
		if (to - from >= view.end) {
			from = 0;
			to = view.end;
		}
		if (from < 0) {
			to -= from;
			from = 0;
		}
		if (to > view.end) {
			from -= to - view.end;
			to = view.end;
		}
		view.from = from;
		view.to = to;
		plots.forEach(hush);
		redraw();
	}

	/* part > 1: more time. */
	function zoom(part, t) {
		const middle = t === undefined ? (view.from + view.to) / 2 : t;

		show(middle - (middle - view.from) * part,
			middle + (view.to - middle) * part);
	}

	function shift(part) {
		const by = (view.to - view.from) * part;

		show(view.from + by, view.to + by);
	}

	function redraw() {
		const wanted = view.from + "-" + view.to + "-";

		for (const plot of plots)
			if (plot.seen && plot.drawn !== wanted + plot.box.clientWidth)
				draw(plot);
		if (view.say)
			view.say.textContent = sayTime(view.from) + " to " +
				sayTime(view.to) + " of " + sayTime(view.end);
	}

	function timeAt(plot, event) {
		const box = plot.svg.getBoundingClientRect();
		const x = (event.clientX - box.left) / box.width * plot.width;
		const part = (x - plot.left) / (plot.right - plot.left);

		return view.from + Math.min(Math.max(part, 0), 1) *
			(view.to - view.from);
	}

	function startPointer(plot) {
		let begin = null, pick = null;

		plot.box.addEventListener("pointerdown", function (event) {
			if (event.button !== 0 || event.pointerType === "touch")
				return;
			begin = timeAt(plot, event);
			pick = make(plot.svg, "rect", { "class": "pick", y: plot.top,
				height: plot.bottom - plot.top, width: 0 });
			plot.box.setPointerCapture(event.pointerId);
		});
		plot.box.addEventListener("pointermove", function (event) {
			const t = timeAt(plot, event);

			if (begin !== null) {
				pick.setAttribute("x", plot.x(Math.min(begin, t)));
				pick.setAttribute("width",
					Math.abs(plot.x(t) - plot.x(begin)));
			}
			tell(plot, t);
		});
		plot.box.addEventListener("pointerup", function (event) {
			const t = timeAt(plot, event);

			if (begin !== null && Math.abs(plot.x(t) - plot.x(begin)) > 6)
				show(Math.min(begin, t), Math.max(begin, t));
			else if (pick)
				pick.remove();
			if (event.pointerType === "touch")
				tell(plot, t);
			begin = pick = null;
		});
		plot.box.addEventListener("pointercancel", function () {
			if (pick)
				pick.remove();
			begin = pick = null;
		});
		plot.box.addEventListener("pointerleave", () => hush(plot));
		plot.box.addEventListener("dblclick", () => show(0, view.end));
	}

	function step(plot, by) {
		const times = plot.chart ? plot.data.t : plot.data.lanes
			.flatMap((lane) => lane.marks.map((mark) => mark[0]))
			.sort((a, b) => a - b);
		let t = plot.t, i;

		if (t === undefined || t < view.from || t > view.to)
			t = by > 0 ? view.from - 1 : view.to + 1;
		i = by > 0 ? search(times, t + 1) + by - 1 : search(times, t) + by;
		i = Math.min(Math.max(i, search(times, view.from)),
			search(times, view.to + 1) - 1);
		if (i >= 0 && i < times.length)
			tell(plot, times[i]);
	}

	function startKeys(plot) {
		plot.box.addEventListener("keydown", function (event) {
			const does = {
				ArrowRight: () => step(plot, 1),
				ArrowLeft: () => step(plot, -1),
				PageDown: () => step(plot, 20),
				PageUp: () => step(plot, -20),
				"+": () => zoom(0.5, plot.t),
				"=": () => zoom(0.5, plot.t),
				"-": () => zoom(2, plot.t),
				"0": () => show(0, view.end),
				Escape: () => hush(plot),
			}[event.key];

			if (!does || event.ctrlKey || event.altKey || event.metaKey)
				return;
			event.preventDefault();
			does();
		});
		plot.box.addEventListener("blur", () => hush(plot));
	}

	function startPlot(data, box) {
		const name = box.dataset.chart;
		const chart = data.charts.find((one) => one.id === name);
		const plot = { box: box, data: data, chart: chart, name: name,
			svg: box.querySelector("svg"), drawn: "" };

		if (!plot.svg || (!chart && name !== "timeline"))
			return;
		plot.tip = make(box, "div", { "class": "tip", "aria-live": "polite" });
		plot.tip.hidden = true;
		box.tabIndex = 0;
		box.setAttribute("role", "group");
		box.setAttribute("aria-label", (chart ? chart.title : "Events") +
			": arrow keys tell values, plus and minus zoom, 0 shows all");
		startPointer(plot);
		startKeys(plot);
		plots.push(plot);
	}

	function addZoom(bar) {
		const buttons = [
			["Zoom in", () => zoom(0.5)], ["Zoom out", () => zoom(2)],
			["Earlier", () => shift(-0.5)], ["Later", () => shift(0.5)],
			["All", () => show(0, view.end)],
		];

		for (const one of buttons)
			make(bar, "button", { type: "button" }, one[0])
				.addEventListener("click", one[1]);
		view.say = make(bar, "span", { "aria-live": "polite" });
		bar.hidden = false;
	}

	/* A chart is drawn anew when it is seen: there are many. */
	function watch() {
		const watcher = new IntersectionObserver(function (entries) {
			for (const entry of entries)
				plots.find((plot) => plot.box === entry.target).seen =
					entry.isIntersecting;
			redraw();
		}, { rootMargin: "200px" });

		plots.forEach((plot) => watcher.observe(plot.box));
		addEventListener("resize", redraw);
		/* A printer has another width: what C drew fits any. */
		addEventListener("beforeprint", function () {
			document.querySelectorAll("details").forEach(function (one) {
				if (!one.closest(".chart"))
					one.open = true;
			});
		});
	}

	function startCharts(script) {
		const data = JSON.parse(script.textContent);
		const bar = document.querySelector("#zoom");

		view.to = view.end = data.end;
		for (const box of document.querySelectorAll("[data-chart]"))
			startPlot(data, box);
		if (bar)
			addZoom(bar);
		watch();
	}

	const form = document.querySelector("#filter");
	const script = document.querySelector("#data");

	document.querySelectorAll(".paste").forEach(addCopy);
	showEditorLinks();
	if (form)
		startFilter(form);
	if (script)
		startCharts(script);
})();
