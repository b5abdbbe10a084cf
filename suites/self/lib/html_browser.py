#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""html_browser.py CHROMIUM CHROMEDRIVER DIR: pages in a browser.

DIR/KIND/report.html, as html_records.py and openclaw report make them. Prints
"ok|WHAT" or "not ok|WHAT|WHY" a line, "# TEXT", and at last "end".
"""
import json
import os
import re
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import html_records  # noqa: E402 pylint: disable=wrong-import-position

KINDS = ["test", "hostile", "sweep", "check", "clean", "cut", "soak", "diff"]

# What is wrong with a page by itself, whatever it is of.
STRUCTURE = r"""
const wrong = [];
const all = Array.from(document.querySelectorAll("*"));
const need = (good, what) => { if (!good) wrong.push(what); };
const levels = Array.from(document.querySelectorAll("h1,h2,h3,h4"))
    .map((one) => Number(one.tagName[1]));
need(document.documentElement.lang === "en", "lang");
need(document.querySelectorAll("h1").length === 1, "one h1");
levels.forEach((level, i) => need(i === 0 || level <= levels[i - 1] + 1,
    "heading " + i + " skips a level"));
for (const name of ["header", "nav", "main", "footer"])
    need(document.querySelectorAll("body > " + name).length === 1, name);
need(document.querySelectorAll(
    "img,iframe,object,embed,link,base,audio,video,foreignObject,use")
    .length === 0, "an element that must not be");
need(Array.from(document.scripts).every((one) => !one.src), "a script's src");
need(document.scripts.length <= 2, "scripts: " + document.scripts.length);
for (const one of all)
    for (const attribute of one.attributes)
        need(!/^on/i.test(attribute.name) &&
             !/^\s*javascript:/i.test(attribute.value),
             one.tagName + " " + attribute.name);
for (const link of document.links) {
    const href = link.getAttribute("href");
    need(href[0] === "#" || href.startsWith("./") || href.startsWith("../") ||
         (href.startsWith("vscode://file/") && link.className === "edit"),
         "link " + href.slice(0, 60));
    need(href[0] !== "#" || document.getElementById(href.slice(1)),
         "nothing at " + href);
}
const ids = all.map((one) => one.id).filter((id) => id);
need(new Set(ids).size === ids.length, "ids are not unique");
for (const table of document.querySelectorAll("table"))
    need(table.querySelector("thead th[scope=col]"), "a table without heads");
for (const section of document.querySelectorAll("section"))
    need(document.getElementById(section.getAttribute("aria-labelledby")),
         "a section without a name");
for (const chart of document.querySelectorAll("figure.chart"))
    need(chart.querySelector("table caption"), "a chart without a table");
for (const control of document.querySelectorAll("input"))
    need(control.labels.length === 1, "an input without a label");
need(document.documentElement.scrollWidth <= innerWidth,
     "wider than the window: " + document.documentElement.scrollWidth);
return wrong.slice(0, 8);
"""

# Texts with less contrast than WCAG's AA.
CONTRAST = r"""
const parse = (text) => {
    const n = text.match(/[\d.]+/g).map(Number);
    return n.length > 3 ? n : n.concat([1]);
};
const light = (c) => {
    const f = c.slice(0, 3).map((v) => (v /= 255) <= 0.03928 ? v / 12.92 :
        Math.pow((v + 0.055) / 1.055, 2.4));
    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2];
};
const ground = (one) => {
    for (; one; one = one.parentElement) {
        const c = parse(getComputedStyle(one).backgroundColor);
        if (c[3] > 0.5)
            return c;
    }
    return [255, 255, 255, 1];
};
const wrong = new Set();
for (const one of document.querySelectorAll("body *")) {
    const style = getComputedStyle(one);
    if (!Array.from(one.childNodes).some((node) => node.nodeType === 3 &&
        node.textContent.trim()) || one.closest("script,[hidden]"))
        continue;
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.6 && style.fontWeight >= 700) ?
        3 : 4.5;
    const color = one instanceof SVGElement ? style.fill : style.color;
    const a = light(parse(color)), b = light(ground(one));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least)
        wrong.add(one.tagName + "." + one.getAttribute("class") + " " +
                  ratio.toFixed(2));
}
return Array.from(wrong).slice(0, 8);
"""


class Browser:
    """One Chromium, and what is said of it."""

    def __init__(self, chromium, chromedriver, directory):
        options = Options()
        options.binary_location = chromium
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking",
                     "--user-data-dir=" + directory + "/profile"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs",
                               {"browser": "ALL", "performance": "ALL"})
        self.directory = directory
        self.driver = webdriver.Chrome(
            service=Service(executable_path=chromedriver), options=options)
        self.driver.set_page_load_timeout(120)
        self.driver.set_script_timeout(120)

    def device(self, width=1100, theme="light", media="", motion="reduce"):
        """Size of the window, theme and medium."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            dict(width=width, height=900, deviceScaleFactor=1,
                 mobile=width < 500))
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            dict(media=media, features=[
                dict(name="prefers-color-scheme", value=theme),
                dict(name="prefers-reduced-motion", value=motion)]))

    def open(self, kind):
        """The page of a kind; how long it took."""
        begin = time.monotonic()
        self.driver.get("file://%s/%s/report.html" % (self.directory, kind))
        return time.monotonic() - begin

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def until(self, script):
        """Wait for what comes by itself: charts, when they are in sight."""
        WebDriverWait(self.driver, 60).until(lambda _: self.run(script))

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def complaints(self):
        """What the console and the network say that they should not."""
        said = [entry["message"][:300] for entry
                in self.driver.get_log("browser")]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            url = message["params"]["request"]["url"]
            if not message["params"]["documentURL"].startswith("file:"):
                continue        # the browser's own first page
            if not (url.startswith("file://" + self.directory) and
                    url.split("#")[0].endswith((".html", ".svg"))):
                said.append("asked for " + url[:200])
        return said


def need(good, why):
    if not good:
        raise AssertionError(why)


def same(got, expected):
    need(got == expected, "got %r, expected %r" % (got, expected))


def check_pages(browser):
    # One opening of a page is enough for all that is only looked at.
    for kind in KINDS:
        def page(kind=kind):
            browser.device()
            browser.open(kind)
            same(browser.run(STRUCTURE), [])
            same(browser.complaints(), [])
        yield "%s: structure, no error, no request" % kind, page

        def phone():
            browser.device(width=360)
            same(browser.run(STRUCTURE), [])
        yield "%s: on a phone nothing is wider than it" % kind, phone

        def contrast():
            browser.run("document.querySelectorAll('details')"
                        ".forEach((one) => { one.open = true; })")
            for theme in "light", "dark":
                browser.device(theme=theme)
                same((theme, browser.run(CONTRAST)), (theme, []))
        yield "%s: contrast of texts, light and dark" % kind, contrast

    def themes():
        paper = "return getComputedStyle(document.body).backgroundColor"
        browser.device(theme="light")
        light = browser.run(paper)
        browser.device(theme="dark")
        need(light != browser.run(paper), "dark is as light")
    yield "dark and light differ", themes

    def paper():
        browser.device(media="print", theme="dark")
        browser.open("test")
        same(browser.run(
            "return Array.from(document.querySelectorAll("
            "'nav, #filter, button')).filter((one) => "
            "getComputedStyle(one).display !== 'none').length"), 0)
        same(browser.run("return getComputedStyle(document.body)"
                         ".backgroundColor"), "rgb(255, 255, 255)")
        printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {})
        need(len(printed["data"]) > 10000, "an empty PDF")
        browser.device()
    yield "print: paper is white, without buttons", paper


def check_verdicts(browser):
    def verdicts():
        expected = {"test": ("f", "32 findings in 36 results"),
                    "sweep": ("f", "4 findings, at 4 of 6 points"),
                    "check": ("f", "2 findings in 2 results"),
                    "clean": ("p", "No findings in 1 result"),
                    "cut": ("u", "Incomplete"),
                    "soak": ("f", "It leaks, slows down, crashes")}
        for kind, (name, text) in expected.items():
            browser.open(kind)
            one = browser.find(".verdict")
            same((kind, one.get_attribute("class"), one.text),
                 (kind, "verdict " + name, text))
            need(text in browser.driver.title, browser.driver.title)
    yield "the verdict is first", verdicts

    def excerpt():
        browser.open("test")
        text = browser.find(".source mark").text.split()
        same(text[:4], ["5", "a[i", "+", "1]"])
        need("<b>one" in text, text)
        browser.open("sweep")
        same(browser.run("return document.querySelectorAll('.site').length"),
             3)
        need("line 12" in browser.find(".site .source mark").text, "line 12")
    yield "source around a finding, findings by site", excerpt

    def folded():
        browser.open("test")
        text = browser.find("#findings").text
        need("Same in 29 more: alike1, alike2" in text, text[-300:])
        need("and 9 not named here" in text, text[-300:])
    yield "equal findings are one", folded


def check_filter(browser):
    shown = ("return Array.from(document.querySelectorAll('.cases [data-v]'))"
             ".filter((one) => one.offsetParent).map((one) => "
             "one.querySelector('th').firstChild.textContent)")

    def text():
        browser.open("test")
        browser.find("#filter-text").send_keys("GOOD")
        same(browser.run(shown), ["good"])
        same(browser.find("#filter-count").text, "1 of 38 shown")
        browser.find("#filter-text").clear()
        browser.find("#filter-text").send_keys(" ")
    yield "the filter: a word", text

    def boxes():
        browser.open("test")
        for name in "FAILED", "CRASH", "not-injected":
            browser.find("#filter input[value=%s]" % name).click()
        same(browser.run(shown), ["good", "image"])
        browser.find("#filter input[value=FAILED]").click()
        same(browser.run(shown), ["good", "edge", "image"])
        same(browser.run("return Array.from(document.querySelectorAll("
                         "'.finding')).filter((one) => one.offsetParent)"
                         ".length"), 2)
    yield "the filter: verdicts", boxes

    def sites():
        browser.open("sweep")
        browser.find("#filter-text").send_keys("load1")
        same(browser.run("return Array.from(document.querySelectorAll("
                         "'.site')).filter((one) => one.offsetParent)"
                         ".length"), 1)
    yield "the filter: a site without findings is not shown", sites


def check_links(browser):
    def cell():
        browser.open("test")
        browser.find(".cases td a").click()
        same(browser.run("return location.hash"), "#finding-1")
        need("edge" in browser.find("#finding-1").text, "finding 1")
    yield "a cell leads to its finding", cell

    def diff():
        browser.open("diff")
        same(browser.find(".verdict").text, "Something got worse")
        browser.find("nav a[href='#leaks']").click()
        same(browser.run("return location.hash"), "#leaks")
        need("<img src=x" in browser.find("#leaks").text, "the site")
        same(browser.run("return Array.from(document.querySelectorAll("
                         "'#chart-device_bytes path.line')).length"), 2)
        same(browser.complaints(), [])
    yield "diff: a link leads to its part, both runs are drawn", diff

    def files():
        browser.open("test")
        hrefs = browser.run("return Array.from(document.querySelectorAll("
                            "'#files a')).map((one) => one.pathname)")
        need(any(one.endswith("/records.jsonl") for one in hrefs), hrefs)
        for one in hrefs:
            need(os.path.exists(one), one)
    yield "raw files are where the links lead", files

    def copy():
        browser.open("test")
        paste = browser.find(".finding .paste")
        paste.find_element(By.TAG_NAME, "button").click()
        same(browser.run("return getSelection().toString()"),
             paste.find_element(By.TAG_NAME, "code").text)
    yield "a line to paste is selected by its button", copy


def check_keys(browser):
    def skip():
        browser.open("test")
        browser.keys(Keys.TAB)
        same(browser.run("return document.activeElement.className"), "skip")
        need(browser.run("const box = document.activeElement"
                         ".getBoundingClientRect(); return box.left >= 0 && "
                         "box.width > 0"), "it is not in sight")
        browser.keys(Keys.ENTER)
        same(browser.run("return location.hash"), "#main")
    yield "the first key leads past the head", skip

    def order():
        for kind in "test", "soak":
            browser.open(kind)
            tops = []
            for _ in range(12):
                browser.keys(Keys.TAB)
                tops.append(browser.run(
                    "const one = document.activeElement, style = "
                    "getComputedStyle(one);\nif (style.outlineStyle === "
                    "'none' || parseFloat(style.outlineWidth) < 1) return "
                    "one.outerHTML.slice(0, 80);\nreturn Math.round("
                    "one.getBoundingClientRect().top + scrollY)"))
            need(all(isinstance(top, int) for top in tops), tops)
            need(len(set(tops[1:])) > 2, tops)
    yield "what has the focus is seen", order


def chart(browser, name):
    box = browser.find("[data-chart=%s]" % name)
    browser.run("arguments[0].scrollIntoView({block: 'center'})", box)
    browser.until("return document.querySelector('[data-chart=%s]')"
                  ".classList.contains('live')" % name)
    return box


def without_script(browser):
    """The page of a soak as a browser without scripts has it."""
    switch = "Emulation.setScriptExecutionDisabled"
    browser.driver.execute_cdp_cmd(switch, dict(value=True))
    try:
        browser.open("soak")
    finally:
        browser.driver.execute_cdp_cmd(switch, dict(value=False))


def check_charts(browser):
    said = "return document.querySelector('#zoom span').textContent"
    tip = ("const tip = document.querySelector('[data-chart=%s] .tip');"
           "return tip.hidden ? '' : tip.textContent")

    def zoom():
        browser.open("soak")
        box = chart(browser, "memory")
        whole = browser.run(said)
        need(whole.startswith("0 s to 23:59"), whole)
        ActionChains(browser.driver).move_to_element_with_offset(
            box, -100, 0).click_and_hold().move_by_offset(
                150, 0).release().perform()
        part = browser.run(said)
        need(part != whole and " of 23:59:00 h" in part, part)
        browser.run("document.querySelectorAll('#zoom button')[4].click()")
        same(browser.run(said), whole)
        browser.run("document.querySelectorAll('#zoom button')[0].click()")
        same(browser.run(said), "5:59:45 h to 17:59:15 h of 23:59:00 h")
        browser.run("document.querySelectorAll('#zoom button')[3].click()")
        same(browser.run(said), "11:59:30 h to 23:59:00 h of 23:59:00 h")
    yield "charts: drag, buttons", zoom

    def hover():
        browser.open("soak")
        box = chart(browser, "memory")
        ActionChains(browser.driver).move_to_element(box).perform()
        text = browser.run(tip % "memory")
        need("resident memory: " in text and " MiB" in text and
             "anonymous memory: " in text, text)
        box = chart(browser, "timeline")
        browser.run("arguments[0].focus()", box)
        browser.keys(Keys.ARROW_RIGHT)
        text = browser.run(tip % "timeline")
        need("(INJECTED)" in text and "fault" in text, text)
    yield "charts: what the pointer is at", hover

    def keys():
        browser.open("soak")
        box = chart(browser, "launch-latency")
        browser.run("arguments[0].focus()", box)
        browser.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        text = browser.run(tip % "launch-latency")
        need(text.startswith("1:00 min\n") and "median" in text, text)
        browser.keys("+")
        need(not browser.run(said).endswith("to 23:59:00 h of 23:59:00 h"),
             browser.run(said))
        browser.keys("0")
        need(browser.run(said).startswith("0 s to 23:59:00 h"),
             browser.run(said))
        browser.keys(Keys.ESCAPE)
        same(browser.run(tip % "launch-latency"), "")
    yield "charts: keys", keys

    def redrawn():
        """The script draws what C has drawn."""
        browser.open("soak")
        drawn = ("return Array.from(document.querySelectorAll('[data-chart"
                 "=%s] svg text')).map((one) => one.textContent).sort()"
                 ".join('|')")
        names = ["memory", "launch-latency", "objects", "throughput",
                 "temperature", "timeline"]
        without_script(browser)
        before = {name: browser.run(drawn % name) for name in names}
        browser.open("soak")
        for name in names:
            chart(browser, name)
            same((name, browser.run(drawn % name)), (name, before[name]))
    yield "charts: the script draws as the program did", redrawn

    def without():
        without_script(browser)
        need(browser.run("return document.querySelectorAll("
                         "'.chart svg path.line').length") > 10, "lines")
        same(browser.run("return document.querySelector('#zoom')"
                         ".offsetParent"), None)
    yield "charts are there without a script, too", without


def check_hostile(browser):
    def texts():
        browser.open("hostile")
        text = browser.run("return document.body.textContent")
        for one in html_records.HOSTILE:
            if one.isprintable() and one.isascii():
                need(one in text, "%r is not shown as it is" % one)
        need("#x202E" in text and "#x1B" in text and "#x2028" in text,
             "hidden characters are not shown")
        same(browser.run("return Array.from(document.querySelectorAll('b'))"
                         ".filter((one) => one.textContent === 'bold')"
                         ".length"), 0)
    yield "hostile names are text", texts

    def size():
        path = browser.directory + "/hostile/report.html"
        need(os.path.getsize(path) < 500000, os.path.getsize(path))
    yield "a name of 1 MiB does not make a page of it", size

    def policy():
        browser.open("hostile")
        browser.run(
            "document.body.insertAdjacentHTML('beforeend', '<img src=x "
            "onerror=\"window.opened = 1\"><style>body { color: red }"
            "</style>');\nconst script = document.createElement('script');\n"
            "script.textContent = 'window.opened = 2';\n"
            "document.body.append(script);")
        browser.until("return document.images[0].complete")
        same(browser.run("return typeof window.opened"), "undefined")
        need(len(browser.complaints()) >= 3, "the policy stops nothing")
    yield "what would come in could not run", policy


def check_many(browser):
    for kind in "many-tests", "many-samples":
        def many(kind=kind):
            size = os.path.getsize("%s/%s/report.html"
                                   % (browser.directory, kind))
            took = browser.open(kind)
            print("# %s: %d bytes, opened in %.2f s" % (kind, size, took))
            need(size < 5 << 20, size)
            same(browser.complaints(), [])
            same(browser.run(STRUCTURE), [])
        yield kind + ": below 5 MiB", many

    def left_out():
        browser.open("many-tests")
        need(re.search("[279]7000 cases that passed",
                       browser.find("#cases .cut").text),
             browser.find("#cases .cut").text)
    yield "what is left out is counted", left_out


def main():
    browser = Browser(sys.argv[1], sys.argv[2], os.path.realpath(sys.argv[3]))
    browser.complaints()
    try:
        for part in (check_pages, check_verdicts, check_filter, check_links,
                     check_keys, check_charts, check_hostile, check_many):
            for what, test in part(browser):
                try:
                    test()
                    print("ok|" + what)
                except Exception as error:  # pylint: disable=broad-except
                    print("not ok|%s|%s: %s" % (
                        what, type(error).__name__,
                        " ".join(str(error).split())[:600]))
                    browser.device()
                    browser.complaints()
                sys.stdout.flush()
    finally:
        browser.driver.quit()
    print("end")


if __name__ == "__main__":
    main()
