// The line above the docked console that says how the recording goes with a saved module, and applies it.
import { Columns2, FastForward, RefreshCw, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button, ToolButton } from '../../widgets/button.tsx'
import { type ConsoleEdits, editShare, type EditState, editText } from './edits.ts'
import { EditRuns } from './edit-runs.tsx'
import styles from './edits.module.css'

export interface EditLineProps {
  readonly edits: ConsoleEdits
  /** Called when both runs are shown below the line, in place of the console, and when they no longer are. */
  readonly onShow: (isShown: boolean) => void
}

/** Renders nothing until a module is saved. */
export function EditLine({ edits, onShow }: EditLineProps) {
  const state = useSyncExternalStore(edits.subscribe, edits.state)
  const text = editText(state)
  const [shown, setShown] = useState<EditState['verdicts']>()
  const first = state.verdicts.flatMap(verdict => verdict.first ?? [])[0]
  const isShown = state.phase === 'judged' && shown === state.verdicts && first !== undefined
  useEffect(() => onShow(isShown), [isShown, onShow])
  return (
    <>
      <div
        className={styles.line}
        data-phase={state.phase}
        data-outcome={outcomeOf(state)}
        hidden={text === undefined}
      >
        <p role="status" aria-label="Edit and replay">
          {text}
        </p>
        <Share share={editShare(state)} />
        <span className={styles.tools}>
          {state.phase === 'judged' && first ? (
            <Button
              size="s"
              icon={<Columns2 size={12} aria-hidden />}
              aria-expanded={isShown}
              onPress={() => setShown(isShown ? undefined : state.verdicts)}
            >
              {isShown ? 'Hide' : 'Show'}
            </Button>
          ) : null}
          <Choices state={state} edits={edits} />
        </span>
      </div>
      {isShown ? <EditRuns key={first.step} first={first} /> : null}
    </>
  )
}

function Choices({
  state: { phase, saved, verdicts },
  edits,
}: Pick<EditLineProps, 'edits'> & { readonly state: EditState }) {
  const { isHeld } = saved
  const isUsable = verdicts.every(({ outcome }) => outcome !== 'unusable')
  const hasEnded = phase === 'judged' || phase === 'refused' || phase === 'applied'
  return (
    <>
      {phase === 'judged' && isHeld && isUsable ? (
        <Button
          size="s"
          variant="primary"
          icon={<FastForward size={12} aria-hidden />}
          onPress={() => edits.send('apply.requested')}
        >
          Apply
        </Button>
      ) : null}
      {isHeld && (phase === 'judged' || phase === 'refused' || phase === 'driving') ? (
        <Button
          size="s"
          icon={<RefreshCw size={12} aria-hidden />}
          onPress={() => edits.send('update.requested')}
        >
          Update as usual
        </Button>
      ) : null}
      {hasEnded ? <ToolButton icon={X} label="Dismiss" onPress={() => edits.send('edit.dismissed')} /> : null}
    </>
  )
}

/** A screen reader would read each change of a progress bar. */
function Share({ share }: { readonly share: number | undefined }) {
  if (share === undefined) return null
  return (
    <span className={styles.share} aria-hidden>
      <span style={{ inlineSize: `${Math.round(share * 100)}%` }} />
    </span>
  )
}

const outcomeOf = ({ phase, verdicts }: EditState): string | undefined =>
  phase === 'refused'
    ? 'refused'
    : phase === 'applied' || (phase === 'judged' && verdicts.every(({ outcome }) => outcome === 'same'))
      ? 'same'
      : phase === 'judged'
        ? 'differs'
        : undefined
