// Formats damage of a trace as a sentence.
import type { Damage } from '../format/trace-source.ts'

/** Includes the line number for damage in a file. */
export function describeDamage({ atLine, message }: Damage): string {
  return atLine === undefined ? message : `line ${atLine}: ${message}`
}
