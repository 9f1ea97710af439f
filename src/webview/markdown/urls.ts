import { unescapeText } from './entities.js';

/** What a link's target may be used for. `host` is shown where the target itself is not. */
export type Target =
  | { readonly kind: 'open'; readonly href: string; readonly host: string }
  /** No scheme: a path or an anchor. Nothing here can open it, but its label reads as the author meant it. */
  | { readonly kind: 'relative'; readonly path: string }
  | { readonly kind: 'image'; readonly src: string }
  | { readonly kind: 'refused' };

/** Raster types whose decoders cannot run script; SVG can. */
const raster = /^data:image\/(png|jpeg|gif|webp);base64,[a-zA-Z0-9+/]+={0,2}$/;
const imageCharacters = 3_000_000;

/** Cuts the angle brackets off a destination and resolves escapes, before any scheme is looked at. */
export function destination(source: string): string {
  const bare = source.startsWith('<') && source.endsWith('>') ? source.slice(1, -1) : source;
  return unescapeText(bare).trim();
}

/** A bare URL as GFM finds it in text: `www.` gets https, an address gets mailto. */
export function bareTarget(source: string): Target {
  if (/^www\./i.test(source)) {
    return linkTarget(`https://${source}`);
  }
  return linkTarget(/^[^\s:/@]+@[^\s/]+$/.test(source) ? `mailto:${source}` : source);
}

/** Only https and mailto may leave the panel, and only through the host, which asks VS Code to open them. */
export function linkTarget(url: string): Target {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(stripInvisible(url))) {
    return url.startsWith('//') ? { kind: 'refused' } : { kind: 'relative', path: url };
  }
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === 'https:') {
    return { kind: 'open', href: parsed.href, host: parsed.host };
  }
  if (parsed?.protocol === 'mailto:') {
    return { kind: 'open', href: parsed.href, host: parsed.pathname };
  }
  return { kind: 'refused' };
}

/** An image may be drawn only from its own bytes; one from the network becomes a link. */
export function imageTarget(url: string): Target {
  if (url.length <= imageCharacters && raster.test(url)) {
    return { kind: 'image', src: url };
  }
  return linkTarget(url);
}

/** Browsers skip tabs, line ends and leading controls when they look for a scheme, so this does too. */
function stripInvisible(url: string): string {
  return url.replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202e\ufeff]/g, '');
}
