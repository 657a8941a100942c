// Sends a browser on.

/** Leads to an address, which may hold letters of any script; nothing keeps the answer, for it may hold tokens. */
export function redirect(status: 302 | 303, address: string): Response {
  return new Response(null, {
    status,
    headers: { location: inAscii(address), 'cache-control': 'no-store' },
  })
}

/** A header takes nothing else, and people name their pages as they speak. */
function inAscii(address: string): string {
  return address.toWellFormed().replace(/\P{ASCII}+/gu, encodeURIComponent)
}
