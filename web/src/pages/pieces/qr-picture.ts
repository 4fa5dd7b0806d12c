/** A QR code as a picture that scales, with four light modules around it as readers want it. */
import { svg } from './dom.js';
import { qrCode } from './qr.js';
import { tell } from './words.js';

export function qrPicture(text: string, what: string): SVGElement {
  const modules = qrCode(text);
  const side = modules.length + 8;
  const path = modules
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : '')))
    .join('');
  return svg(
    'svg',
    { class: 'qr', viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': tell('qr.label', { what }) },
    svg('rect', { width: side, height: side, fill: '#fff' }),
    svg('path', { d: path, fill: '#000', 'shape-rendering': 'crispEdges' }),
  );
}
