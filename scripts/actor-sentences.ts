// One sentence for each actor, from the specifications of the machines; the console shows them next to the actors.
import type { Spec } from '../src/machines/index.ts'
import { recordedSpecs } from '../src/machines/specs.ts'

/** The file's text: by machine, and by machine and port; one per line, so that a diff shows which one changed. */
export function sentencesText(): string {
  const entries = Object.values<Spec>(recordedSpecs).flatMap(({ machine, about, ports }) => [
    [machine.id, about] as const,
    ...Object.entries(ports).map(([name, port]) => [`${machine.id}/${name}`, port.about] as const),
  ])
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`
}
