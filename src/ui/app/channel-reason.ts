// Why a channel or the socket is not open, in words.

/** A part of a sentence, without its end; socket close codes mean nothing to most people. */
export const explainChannel = (reason: string): string =>
  /^closed with \d+/.test(reason) ? 'the connection to the backend was lost' : reason.replace(/\.$/, '')
