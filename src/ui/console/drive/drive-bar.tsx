// Pause, step and resume buttons, and a bar that shows pauses, clock offsets and active faults.
import { ChevronsRight, Hand, Play, SlidersHorizontal, X } from 'lucide-react'
import { memo } from 'react'
import { Button, IconButton, ToolButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { plural } from '../text.ts'
import parts from '../canvas/parts.module.css'
import styles from './drive.module.css'
import type { BackendFaultsModel, Drive } from './use-drive.ts'
import { aheadText, speedText } from './format-timer.ts'

export interface DriveButtonsProps {
  /** Undefined if no controllable system is running. */
  readonly drive: Drive | undefined
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** Toolbar buttons. */
export const DriveButtons = memo(function DriveButtons({ drive, isOpen, onToggle }: DriveButtonsProps) {
  return (
    <div className={styles.buttons} role="group" aria-label="Control">
      {drive ? <HoldButtons drive={drive} /> : null}
      <IconButton
        size="s"
        label={drive ? 'Control the system' : 'Branch from this file in a sandbox'}
        shortcut="I"
        isOn={isOpen}
        onPress={onToggle}
      >
        <SlidersHorizontal size={14} aria-hidden />
        {drive ? <span className={styles.word}>Control</span> : null}
      </IconButton>
    </div>
  )
})

function HoldButtons({ drive: { control, state } }: { readonly drive: Drive }) {
  return (
    <>
      <IconButton
        size="s"
        label={state.hold ? 'Resume the system' : 'Pause the system'}
        shortcut="P"
        isOn={state.hold !== undefined}
        onPress={() => (state.hold ? control.release() : control.hold())}
      >
        {state.hold ? <Play size={14} aria-hidden /> : <Hand size={14} aria-hidden />}
        <span className={styles.word}>{state.hold ? 'Resume' : 'Pause'}</span>
      </IconButton>
      {state.hold ? (
        <IconButton
          size="s"
          label="Step one event"
          shortcut="N"
          isDisabled={state.waiting.length === 0}
          onPress={() => control.step()}
        >
          <ChevronsRight size={15} aria-hidden />
          <span className={styles.word}>Step</span>
        </IconButton>
      ) : null}
    </>
  )
}

export interface DriveBarProps {
  readonly drive: Drive
  /** Undefined unless the backend is the embedded one. */
  readonly backend: BackendFaultsModel | undefined
  /** Shows the view at which the system was paused; undefined while something else is shown. */
  readonly onShow: ((seq: number) => void) | undefined
}

/** A part of the toolbar while the system is paused, its clock is changed, or a fault is active. */
export function DriveBar(props: DriveBarProps) {
  const { hold } = props.drive.state
  return (
    <>
      {/* Announces pauses only, not each waiting event or fault hit. */}
      <p role="status" aria-label="Pause" className={parts.unseen}>
        {hold ? `Paused: ${hold.text}` : ''}
      </p>
      <Line {...props} />
    </>
  )
}

function Line({ drive: { control, state }, backend, onShow }: DriveBarProps) {
  const { hold, waiting, faults, speed, ahead } = state
  const off = aheadText(ahead)
  const clock = `Client clock ${[speed === 1 ? '' : speedText(speed), hold ? '' : off].filter(Boolean).join(', ')}`
  const isBent = speed !== 1 || (off !== '' && !hold)
  const planned = backend?.plan.faults ?? []
  if (!hold && faults.length + planned.length === 0 && !isBent) return null
  const { seq } = hold ?? {}
  const next = waiting[0]
  return (
    <div className={cx(styles.bar, hold && styles.held)} role="group" aria-label="Control status">
      {hold ? (
        <span className={styles.hold}>
          <strong>PAUSED</strong>
          <span className={styles.why} title={hold.text}>
            {hold.text}
          </span>
          {seq === undefined || !onShow ? null : (
            <Button size="s" variant="quiet" onPress={() => onShow(seq)}>
              #{seq}
            </Button>
          )}
          <span className={styles.queue}>
            {waiting.length === 0 ? 'queue empty' : `${plural(waiting.length, 'event')} waiting`}
          </span>
          {next ? <code className={styles.next}>next {next.event.type}</code> : null}
        </span>
      ) : null}
      {isBent ? (
        <span className={styles.bent}>
          <span className={styles.why} title={clock}>
            {clock}
          </span>
          <Button size="s" variant="quiet" onPress={() => control.time.toReal()}>
            Sync
          </Button>
        </span>
      ) : null}
      {backend && planned.length > 0 ? (
        <span className={styles.fault}>
          <span aria-hidden>◆</span> Backend: {planned.map(({ id }) => id).join(', ')}
          <ToolButton icon={X} iconSize={12} label="Clear backend faults" onPress={() => backend.clear()} />
        </span>
      ) : null}
      {faults.map(({ id, fault, text, hits }) => (
        <span key={id} className={styles.fault}>
          <span aria-hidden>◆</span>
          <span className={styles.faultText} title={text}>
            {text}
          </span>
          <span className={styles.hits}>{hits === 0 ? 'not hit yet' : `hit ${hits}×`}</span>
          <ToolButton
            icon={X}
            iconSize={12}
            label={`Clear: ${text}`}
            onPress={() => control.faults.clear(fault.kind)}
          />
        </span>
      ))}
    </div>
  )
}
