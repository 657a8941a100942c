// Copies a difference as a JSON patch.
import { FileDiff } from 'lucide-react'
import type { StepRecord } from '../../../trace/index.ts'
import { IconButton } from '../../widgets/button.tsx'
import { copyText } from './clipboard.ts'
import { jsonPatch } from './json-patch.ts'
import { snapshotOf } from './state-path.ts'

export interface PatchButtonProps {
  readonly from: StepRecord | undefined
  readonly to: StepRecord | undefined
}

export function PatchButton({ from, to }: PatchButtonProps) {
  const copy = () => {
    const patch = jsonPatch(snapshotOf(from), snapshotOf(to))
    copyText(JSON.stringify(patch, null, 2), 'JSON patch')
  }
  return (
    <IconButton size="s" label="Copy as JSON patch" onPress={copy}>
      <FileDiff size={13} aria-hidden />
    </IconButton>
  )
}
