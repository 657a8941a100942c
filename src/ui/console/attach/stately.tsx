// Sends the recording to Stately's inspector after the user agrees, and shows a status line with a stop
// button.
import { Radio } from 'lucide-react'
import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { createStatelyBridge, type StatelyBridge } from '../../../services/control/index.ts'
import { repeat } from '../../../services/runtime/index.ts'
import type { TraceSource } from '../../../trace/index.ts'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { useCommands, type ConsoleCommand } from '../commands/use-commands.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import { plural } from '../text.ts'
import styles from './attach.module.css'

const LOOK_MS = 1_000

/** The command, its confirmation dialog, and a status line while sending. */
export function Stately({ recording }: { readonly recording: ConsoleRecording }) {
  const [isAsking, setAsking] = useState(false)
  const { bridge, isRefused, begin, stop } = useBridge(recording)
  const commands = useMemo<readonly ConsoleCommand[]>(() => {
    const about = { section: 'Recording', words: 'xstate inspect share export' } as const
    return [
      bridge
        ? { ...about, id: 'stately', title: 'Stop sending to Stately’s inspector', run: stop }
        : { ...about, id: 'stately', title: 'Send to Stately’s inspector …', run: () => setAsking(true) },
    ]
  }, [bridge, stop])
  useCommands(commands)
  const close = () => setAsking(false)
  const send = () => {
    if (begin()) close()
  }
  return (
    <>
      {bridge ? <SentLine bridge={bridge} onStop={stop} /> : null}
      <Dialog title="Send to Stately’s inspector?" role="alertdialog" isOpen={isAsking} onClose={close}>
        <Disclosure trace={recording.trace} />
        {isRefused ? (
          <p role="alert" className={styles.wrong}>
            The browser blocked the window. Allow pop-ups for this page and try again.
          </p>
        ) : null}
        <DialogActions>
          <Button variant="quiet" onPress={close}>
            Cancel
          </Button>
          <Button variant="primary" onPress={send}>
            Send to stately.ai
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}

function Disclosure({ trace }: { readonly trace: TraceSource }) {
  return (
    <>
      <p>
        This opens <strong>stately.ai/inspect</strong> in a window and sends it the recording:{' '}
        {plural(trace.actors.length, 'actor')} and {plural(trace.steps.length, 'event')} so far, plus new
        events until you stop. <strong>The data leaves this machine.</strong>
      </p>
      <ul className={styles.disclosure}>
        <li>Sent: names of actors, machines and states, events and contexts with their values.</li>
        <li>Left out: secrets, by the recording's redaction rules, as in a saved file.</li>
        <li>Never sent: machine input and code.</li>
      </ul>
    </>
  )
}

function SentLine({ bridge, onStop }: { readonly bridge: StatelyBridge; readonly onStop: () => void }) {
  const [, look] = useReducer((count: number) => count + 1, 0)
  useEffect(() => repeat(() => (bridge.isGone() ? onStop() : look()), LOOK_MS), [bridge, onStop])
  const reportedCount = bridge.reportedCount()
  return (
    <div role="status" aria-label="Stately’s inspector" className={styles.sent}>
      <Radio size={13} aria-hidden />
      <span>
        <strong>Sending to stately.ai</strong>{' '}
        {reportedCount === undefined
          ? 'waiting for its window'
          : `${plural(reportedCount, 'message')} so far`}
      </span>
      <Button size="s" onPress={onStop}>
        Stop
      </Button>
    </div>
  )
}

function useBridge(recording: ConsoleRecording) {
  const [bridge, setBridge] = useState<StatelyBridge>()
  const [isRefused, setRefused] = useState(false)
  const running = useRef<StatelyBridge>(undefined)
  // Without this component, the user could not see that data is still being sent.
  useEffect(() => () => running.current?.stop(), [])
  return useMemo(() => {
    const put = (next: StatelyBridge | undefined) => {
      running.current?.stop()
      running.current = next
      setBridge(next)
    }
    return {
      bridge,
      isRefused,
      begin(): boolean {
        const made = createStatelyBridge({ trace: present(recording) })
        setRefused(!made.isOpen)
        if (made.isOpen) put(made)
        else made.stop()
        return made.isOpen
      },
      stop: () => put(undefined),
    }
  }, [bridge, isRefused, recording])
}

/** Follows the recording's current trace, which is checked several times a second. */
function present(recording: ConsoleRecording): TraceSource {
  const now = () => recording.trace
  return {
    live: true,
    get header() {
      return now().header
    },
    get actors() {
      return now().actors
    },
    get stimuli() {
      return now().stimuli
    },
    get steps() {
      return now().steps
    },
    damage: [],
    version: () => now().version(),
    subscribe: listener => repeat(listener, LOOK_MS / 4),
  }
}
