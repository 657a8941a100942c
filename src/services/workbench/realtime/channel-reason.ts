// Explains why a channel or the socket is not open.

/** Text for every unrequested close of the socket. */
export const CONNECTION_LOST = 'the connection to the backend was lost'

/** Returns a sentence fragment without a period; socket close codes mean nothing to most users. */
export const explainChannel = (reason: string): string =>
  /^closed with \d+/.test(reason) ? CONNECTION_LOST : reason.replace(/\.$/, '')
