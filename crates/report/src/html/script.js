"use strict";
// A page goes into its frame when somebody unfolds it: hundreds of them would make the report slow.
const text = (part) => part.dataset.text ?? document.getElementById("asset-" + part.dataset.asset).dataset.text;
const fill = (frame) => {
  const page = document.getElementById("page-" + frame.dataset.page);
  frame.srcdoc = [...page.content.children].map(text).join("");
  frame.removeAttribute("data-page");
};
const fit = new ResizeObserver((entries) => entries.forEach(({ target, contentRect }) =>
  target.style.setProperty("--scale", contentRect.width / 1280 || .4)));
document.querySelectorAll(".shot").forEach((shot) => fit.observe(shot));
const show = (rendered) => rendered.querySelectorAll("iframe[data-page]").forEach(fill);
document.addEventListener("toggle", (event) => {
  if (event.target.matches(".rendered[open]")) show(event.target);
}, true);
document.querySelectorAll(".rendered[open]").forEach(show);
// A link to a step unfolds what it is in.
const reveal = () => {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  target.scrollIntoView({ block: "start" });
};
addEventListener("hashchange", reveal);
reveal();
