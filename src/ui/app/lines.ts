// The lines of clients to their hosts, for whoever tells how a host answers.
import type { Line } from '../../probe.ts'

const lines = new WeakMap<object, Line>()

/** A line lives as long as its client. */
export const keepLine = (client: object, line: Line): void => void lines.set(client, line)

/** Undefined for clients that were not made by the app, as those of tests. */
export const lineOf = (client: object): Line | undefined => lines.get(client)
