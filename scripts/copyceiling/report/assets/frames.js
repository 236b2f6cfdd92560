// A frame that holds more than it shows says so and can be reached by the tab key; one that shows
// all that it holds is no stop. Without scripts every frame is one, and its edge is shaded.

const WIDER = "Wider than this screen: scroll it sideways.";

/** Fit the frames of tables to what they hold at the page's width. */
function fitFrames(frames) {
  const wide = frames.map((frame) => frame.scrollWidth > frame.clientWidth + 1);
  const tall = frames.map((frame) => frame.scrollHeight > frame.clientHeight + 1);
  frames.forEach((frame, i) => {
    setStop(frame, wide[i] || tall[i]);
    setHint(frame, wide[i]);
  });
}

/** Make a frame a stop of the tab key with a name, or neither. */
function setStop(frame, stop) {
  if (stop) {
    frame.tabIndex = 0;
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", `${frame.dataset.label}, to be scrolled`);
  } else for (const name of ["tabindex", "role", "aria-label"]) frame.removeAttribute(name);
}

function setHint(frame, wide) {
  const before = frame.previousElementSibling;
  const hint = before && before.classList.contains("sideways") ? before : null;
  if (wide && !hint) frame.before(make("p", { class: "framed sideways", text: WIDER }));
  if (!wide && hint) hint.remove();
}

/** Keep the frames within an element fitted. */
function watchFrames(element) {
  const frames = [...element.querySelectorAll(".scroll")];
  frames.forEach((frame) => {
    frame.dataset.label = frame.getAttribute("aria-label");
  });
  let width = -1;
  new ResizeObserver(() => {
    if (element.clientWidth === width) return; // a hint changes the height alone
    width = element.clientWidth;
    fitFrames(frames);
  }).observe(element);
}
