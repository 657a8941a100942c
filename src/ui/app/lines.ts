// Maps each client to its host monitor.
import type { Line } from '../../probe.ts'

const lines = new WeakMap<object, Line>()

/** A monitor lives as long as its client. */
export const keepLine = (client: object, line: Line): void => void lines.set(client, line)

/** Undefined for clients that the app did not create, such as in tests. */
export const lineOf = (client: object): Line | undefined => lines.get(client)
