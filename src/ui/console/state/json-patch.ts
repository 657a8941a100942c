// Differences as a JSON patch (RFC 6902) between two snapshots in the trace file format.
import { encodeValue } from '../../../trace/index.ts'
import { diffSteps, type Change } from './diff-walk.ts'

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: unknown
}

/** Returns the patch from one snapshot to the other. */
export function jsonPatch(before: unknown, after: unknown): readonly PatchOperation[] {
  const steps = diffSteps(encodeValue(before), encodeValue(after), Number.POSITIVE_INFINITY)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value.changes.map(operation)
  }
}

function operation({ mark, pointer, after }: Change): PatchOperation {
  if (mark === 'removed') return { op: 'remove', path: pointer }
  return { op: mark === 'added' ? 'add' : 'replace', path: pointer, value: after }
}
