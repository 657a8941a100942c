// Why a channel or the socket is not open, in words.

/** Said for every close of the socket that was not asked for. */
export const CONNECTION_LOST = 'the connection to the backend was lost'

/** A part of a sentence, without its end; socket close codes mean nothing to most people. */
export const explainChannel = (reason: string): string =>
  /^closed with \d+/.test(reason) ? CONNECTION_LOST : reason.replace(/\.$/, '')
