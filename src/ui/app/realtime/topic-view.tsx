// A topic: its state, users, log and message composer.
import { LogIn, LogOut, Settings2, Eye, EyeOff, RotateCcw, Waypoints } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Chip, Dot, type Tone } from '../../widgets/pill.tsx'
import { Notice, PageHead } from '../shell/page.tsx'
import { Composer } from './composer.tsx'
import { JoinDialog } from './join-dialog.tsx'
import { MessagePane } from './message-pane.tsx'
import { Plots } from './plots.tsx'
import styles from './realtime.module.css'
import { whyActor } from '../requests/questions.ts'
import { WhyButton } from '../requests/why-button.tsx'
import { pathSegment } from '../../../trace/index.ts'
import {
  changeOf,
  changeWords,
  type TopicState,
  type TopicStore,
  peopleOf,
  type Person,
  withoutMark,
  TONES,
  topicNews,
  type WayOn,
} from '../../../services/workbench/realtime/index.ts'
import { useTopic } from './use-topics-store.ts'
import { TextArea } from '../../widgets/text-area.tsx'
import { Form } from '../../widgets/form.tsx'
import { useRouter } from '@tanstack/react-router'
import type { ChannelStatus, ClientStatus } from '../../../services/client/index.ts'
import { useStatus } from '../../react/index.ts'
import { CONSOLE_SEARCH } from '../console-search.ts'
import { jump } from '../requests/console-jump.ts'

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

interface PeopleListProps {
  readonly store: TopicStore
  readonly state: TopicState
}

/** The user is marked; several tabs of one user share a line. */
function PeopleList({ store, state }: PeopleListProps) {
  const { presence, status, settings } = state
  const people = peopleOf(presence)
  const isJoined = status.phase === 'joined'
  const ownKey = settings.key.trim() || store.user.key
  return (
    <aside className={styles.people} aria-label="Presence">
      <h2 className={styles.sideTitle}>
        {isJoined ? 'Here now' : 'Last seen here'}
        {people.length > 0 ? ` · ${people.length}` : ''}
      </h2>
      {settings.presence ? null : <p className={styles.faint}>Presence is off for this topic.</p>}
      {people.length > 0 ? (
        <ul>
          {people.map(person => (
            <PersonLine key={person.key} person={person} isOwn={person.key === ownKey} isJoined={isJoined} />
          ))}
        </ul>
      ) : settings.presence ? (
        <p className={styles.faint}>{isJoined ? 'No users yet.' : 'Available after the topic is joined.'}</p>
      ) : null}
      {settings.presence ? <OwnState store={store} state={state} /> : null}
    </aside>
  )
}

interface PersonLineProps {
  readonly person: Person
  readonly isOwn: boolean
  readonly isJoined: boolean
}

function PersonLine({ person, isOwn, isJoined }: PersonLineProps) {
  return (
    <li>
      <details className={styles.person}>
        <summary>
          <Dot tone={isJoined ? 'ok' : 'stale'} />
          <span className={styles.personName}>{person.name}</span>
          {isOwn ? <span className={styles.faint}>you</span> : null}
          {person.places > 1 ? <span className={styles.faint}>{person.places} tabs</span> : null}
        </summary>
        <code className={styles.key}>{person.key}</code>
        {person.metas.map((meta, n) => (
          <pre
            key={typeof meta['presence_ref'] === 'string' ? meta['presence_ref'] : n}
            className={styles.meta}
          >
            {JSON.stringify(withoutMark(meta), null, 1)}
          </pre>
        ))}
      </details>
    </li>
  )
}

function OwnState({ store, state }: PeopleListProps) {
  const { draft, ownProblem, isShown } = state
  return (
    <details className={styles.own}>
      <summary className={styles.sideTitle}>Your presence state{isShown ? '' : ': not shared'}</summary>
      <Form aria-label="Your presence state" onSubmit={() => void store.show()}>
        <TextArea
          label="Your state as JSON"
          hideLabel
          mono
          rows={4}
          value={draft.own}
          onChange={own => store.edit({ own })}
          error={ownProblem}
          spellCheck="false"
        />
        <div className={styles.ownActions}>
          <Button size="s" type="submit" icon={<Eye size={13} aria-hidden />}>
            {isShown ? 'Update state' : 'Share state'}
          </Button>
          {isShown ? (
            <Button
              size="s"
              variant="quiet"
              icon={<EyeOff size={13} aria-hidden />}
              onPress={() => void store.hide()}
            >
              Hide
            </Button>
          ) : null}
        </div>
      </Form>
    </details>
  )
}

const POSTGRES: Readonly<Record<ChannelStatus['postgres'], Tone>> = {
  none: 'stale',
  pending: 'pending',
  live: 'ok',
  retrying: 'pending',
  configError: 'fail',
}

const DATA: Readonly<Record<ChannelStatus['data'], Tone>> = {
  none: 'stale',
  gap: 'pending',
  resyncing: 'pending',
  live: 'ok',
}

/** The channel machine's phase, and whether row changes arrive and are complete. */
function StateChips({ status }: { readonly status: ChannelStatus }) {
  const { phase, postgres, data } = status
  const tone = TONES[phase]
  return (
    <span className={styles.chips}>
      <Chip tone={tone} pending={tone === 'pending'}>
        {phase}
      </Chip>
      {postgres === 'none' ? null : (
        <Chip tone={POSTGRES[postgres]} pending={POSTGRES[postgres] === 'pending'}>
          changes {postgres}
        </Chip>
      )}
      {data === 'none' || phase !== 'joined' ? null : (
        <Chip tone={DATA[data]} pending={DATA[data] === 'pending'}>
          data {data}
        </Chip>
      )}
    </span>
  )
}

/** Opens the console at the topic's machine. */
function MachineLink({ topic }: { readonly topic: string }) {
  const router = useRouter()
  const show = () =>
    void router.navigate({
      to: '.',
      search: {
        ...router.state.location.search,
        [CONSOLE_SEARCH.at]: undefined,
        [CONSOLE_SEARCH.t]: undefined,
        [CONSOLE_SEARCH.actor]: `client/realtime/channel.${topic}`,
        [CONSOLE_SEARCH.view]: 'chart',
      } as never,
      state: jump,
      resetScroll: false,
    })
  return (
    <IconButton label="Open in console" onPress={show}>
      <Waypoints size={15} />
    </IconButton>
  )
}

const about = ({ connection, network }: ClientStatus) => ({ connection, network })

interface TopicNoticeProps {
  readonly store: TopicStore
  readonly state: TopicState
  readonly onSettings: () => void
}

/** A problem and its actions; renders nothing when there is none. */
function TopicNotice({ store, state, onSettings }: TopicNoticeProps) {
  const news = topicNews(state.status, useStatus(about))
  if (news === undefined || !state.isIn) return null
  const { settings } = state
  const ways: Readonly<Record<WayOn, () => void>> = {
    again: store.join,
    private: () => store.configure({ ...settings, private: !settings.private }),
    settings: onSettings,
  }
  const words: Readonly<Record<WayOn, string>> = {
    again: 'Retry now',
    private: settings.private ? 'Join as public' : 'Join as private',
    settings: 'Settings',
  }
  return (
    <div className={styles.notice}>
      <Notice tone={news.tone}>
        {news.text}{' '}
        {news.ways.map(way => (
          <Button
            key={way}
            size="s"
            icon={
              way === 'settings' ? <Settings2 size={12} aria-hidden /> : <RotateCcw size={12} aria-hidden />
            }
            onPress={ways[way]}
          >
            {words[way]}
          </Button>
        ))}
        <WhyButton of={news.text} {...whyActor(`client/realtime/${pathSegment(`channel.${store.topic}`)}`)} />
      </Notice>
    </div>
  )
}
