// Which access tokens can be sent in a header.

/** With a token of other characters no request could be sent, so that it is no session. */
export function isSendable(token: unknown): token is string {
  return typeof token === 'string' && /^[\t\x20-\x7e\x80-\xff]+$/.test(token)
}
