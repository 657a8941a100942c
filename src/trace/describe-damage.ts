// Damage of a trace as a sentence.
import type { Damage } from './format.ts'

/** With its line, where it is one of a file. */
export function describeDamage({ atLine, message }: Damage): string {
  return atLine === undefined ? message : `line ${atLine}: ${message}`
}
