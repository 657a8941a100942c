// URLs for untrusted bytes that can never run as a page of this site.

export interface InertUrl {
  readonly url: string
  readonly revoke: () => void
}

/** Types that a browser opens as a page: SVG and anything else in XML or HTML. */
const isMarkup = (type: string): boolean => /xml|html/i.test(type)

/**
 * Creates a URL for bytes of a type. Markup images get a data URL: opened in a tab, it has no origin, while a
 * blob URL of this page could load any script hosted on this page's origin.
 */
export async function inertUrl(bytes: Blob, type: string): Promise<InertUrl> {
  const blob = new Blob([bytes], { type })
  if (isMarkup(type)) return { url: await dataUrl(blob), revoke: () => undefined }
  const url = URL.createObjectURL(blob)
  return { url, revoke: () => URL.revokeObjectURL(url) }
}

/** Bytes per call: a function call can't take a million arguments. */
const SPELLED = 0x8000

async function dataUrl(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += SPELLED)
    text += String.fromCharCode(...bytes.subarray(at, at + SPELLED))
  return `data:${blob.type};base64,${btoa(text)}`
}
