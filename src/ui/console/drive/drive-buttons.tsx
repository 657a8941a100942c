// Toolbar buttons that pause, step and resume the system, and open the control panel.
import { ChevronsRight, Hand, Play, SlidersHorizontal } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import styles from './drive.module.css'
import type { Drive } from './use-drive.ts'

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
