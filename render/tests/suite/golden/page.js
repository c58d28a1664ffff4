/**
 * Shows a picture at a moment: what has a track is moved, and what is there at times is shown or hidden. Returns the moment in words.
 * @param {SVGElement} svg with its time as data
 * @param {number} now in the unit of the picture
 */
function moment(svg, now) {
  for (const shape of svg.querySelectorAll("[data-track]")) {
    const stops = shape.dataset.track.split(";").map((stop) => stop.split(" ").map(Number));
    const [last] = stops[stops.length - 1];
    const cycle = Number(shape.dataset.cycle ?? 0);
    const at = cycle > 0 && now > last ? last - cycle + ((now - last) % cycle) : now;
    const next = stops.findIndex(([time]) => time > at);
    const [from, x, y] = stops[next < 0 ? stops.length - 1 : Math.max(next - 1, 0)];
    const [to, u, v] = stops[Math.max(next, 0)];
    const part = next > 0 ? (at - from) / (to - from) : 0;
    shape.setAttribute("transform", `translate(${x + part * (u - x)} ${y + part * (v - y)})`);
  }
  for (const shape of svg.querySelectorAll("[data-shown]")) {
    const spans = shape.dataset.shown.split(";").map((span) => span.split(" ").map(Number));
    const is = spans.some(([from, to]) => from <= now && now < to);
    shape.setAttribute("visibility", is ? "visible" : "hidden");
  }
  const unit = svg.dataset.unit;
  if (unit) return `${unit} ${Math.floor(now)}`;
  const seconds = Math.round(10 * now) / 10;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes ? `${minutes}m${String(Math.floor(seconds % 60)).padStart(2, "0")}s` : `${seconds}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, "0")}m`;
}
for(const svg of document.querySelectorAll('svg[data-to]')){const slider=document.createElement('input');const time=document.createElement('output');const bar=document.createElement('div');bar.className='clock';Object.assign(slider,{type:'range',min:svg.dataset.from,max:svg.dataset.to,step:'any',value:svg.dataset.from,ariaLabel:'Moment'});slider.oninput=()=>{time.textContent=moment(svg,Number(slider.value))};bar.append(slider,time);svg.after(bar);slider.oninput()}