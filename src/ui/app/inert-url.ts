// Addresses under which a stranger's bytes are shown, and under which they are never a page of this site.

export interface InertUrl {
  readonly url: string
  readonly revoke: () => void
}

/** What a browser opens as a page when it is opened by itself: SVG, and whatever else is written in XML or HTML. */
const isMarkup = (type: string): boolean => /xml|html/i.test(type)

/**
 * An address for bytes of a type. A picture that is markup gets one that holds it: opened in a tab of its own, it has no
 * origin there, where one under an address of this page could load any script that lies on this page's host.
 */
export async function inertUrl(bytes: Blob, type: string): Promise<InertUrl> {
  const blob = new Blob([bytes], { type })
  if (isMarkup(type)) return { url: await dataUrl(blob), revoke: () => undefined }
  const url = URL.createObjectURL(blob)
  return { url, revoke: () => URL.revokeObjectURL(url) }
}

/** So many bytes are spelled at once: a call has no room for a million arguments. */
const SPELLED = 0x8000

async function dataUrl(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += SPELLED)
    text += String.fromCharCode(...bytes.subarray(at, at + SPELLED))
  return `data:${blob.type};base64,${btoa(text)}`
}
