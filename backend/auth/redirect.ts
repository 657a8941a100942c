// Redirects a browser.

/** Redirects to a URL with characters of any script. The response may contain tokens, so it is not cached. */
export function redirect(status: 302 | 303, address: string): Response {
  return new Response(null, {
    status,
    headers: { location: inAscii(address), 'cache-control': 'no-store' },
  })
}

/** Headers only accept ASCII, but URLs may contain other characters. */
function inAscii(address: string): string {
  return address.toWellFormed().replace(/\P{ASCII}+/gu, encodeURIComponent)
}
