// A topic: its state, users, log and message composer.
import { LogIn, LogOut, Settings2 } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { Notice, PageHead } from '../shell/page.tsx'
import { Composer } from './composer.tsx'
import { JoinDialog } from './join-dialog.tsx'
import { MessagePane } from './message-pane.tsx'
import { PeopleList } from './people-list.tsx'
import { Plots } from './plots.tsx'
import styles from './realtime.module.css'
import {
  changeOf,
  changeWords,
  type TopicState,
  type TopicStore,
} from '../../../services/workbench/realtime/index.ts'
import { MachineLink, StateChips, TopicNotice } from './topic-state.tsx'
import { useTopic } from './use-topics-store.ts'

export interface TopicViewProps {
  readonly store: TopicStore
  readonly rail: ReactNode
}

function Subscriptions({ state }: { readonly state: TopicState }) {
  if (state.settings.changes.length === 0) return null
  return (
    <ul className={styles.subscriptions} aria-label="Row change subscriptions">
      {state.settings.changes.map(change => (
        <li key={change.id}>
          <code>{changeWords(changeOf(change))}</code>
        </li>
      ))}
    </ul>
  )
}

/** After leaving, the log stays and the topic can be joined again. */
export function TopicView({ store, rail }: TopicViewProps) {
  const state = useTopic(store)
  const [isEditing, setEditing] = useState(false)
  useEffect(() => store.watch(), [store])
  return (
    <>
      <PageHead
        title={store.topic}
        note={state.isIn ? <StateChips status={state.status} /> : <Chip tone="stale">left</Chip>}
      >
        <MachineLink topic={store.topic} />
        <Button icon={<Settings2 size={14} aria-hidden />} onPress={() => setEditing(true)}>
          Settings
        </Button>
        {state.isIn ? (
          <Button icon={<LogOut size={14} aria-hidden />} onPress={store.leave}>
            Leave
          </Button>
        ) : (
          <Button variant="primary" icon={<LogIn size={14} aria-hidden />} onPress={store.join}>
            Join again
          </Button>
        )}
      </PageHead>
      <TopicNotice store={store} state={state} onSettings={() => setEditing(true)} />
      {state.isIn ? null : (
        <div className={styles.notice}>
          <Notice>You left this topic. Earlier messages are below.</Notice>
        </div>
      )}
      <div className={styles.columns}>
        {rail}
        <div className={styles.talk}>
          <Subscriptions state={state} />
          <Plots meters={store.meters} version={state.version} />
          <MessagePane store={store} state={state} />
          <Composer store={store} state={state} />
        </div>
        <PeopleList store={store} state={state} />
      </div>
      <JoinDialog
        isOpen={isEditing}
        onClose={() => setEditing(false)}
        topic={store.topic}
        settings={state.settings}
        onJoin={(_, settings) => store.configure(settings)}
      />
    </>
  )
}
