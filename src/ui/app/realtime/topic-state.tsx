// A topic's channel status: the machine's regions as chips, and problems as text.
import { RotateCcw, Settings2, Waypoints } from 'lucide-react'
import { useRouter } from '@tanstack/react-router'
import type { ChannelStatus, ClientStatus } from '../../../services/client/index.ts'
import { useStatus } from '../../react/index.ts'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Chip, type Tone } from '../../widgets/pill.tsx'
import { CONSOLE_SEARCH } from '../console-search.ts'
import { jump } from '../requests/console-jump.ts'
import { Notice } from '../shell/page.tsx'
import styles from './realtime.module.css'
import {
  TONES,
  topicNews,
  type TopicState,
  type TopicStore,
  type WayOn,
} from '../../../services/workbench/realtime/index.ts'

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
export function StateChips({ status }: { readonly status: ChannelStatus }) {
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
export function MachineLink({ topic }: { readonly topic: string }) {
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

export interface TopicNoticeProps {
  readonly store: TopicStore
  readonly state: TopicState
  readonly onSettings: () => void
}

/** A problem and its actions; renders nothing when there is none. */
export function TopicNotice({ store, state, onSettings }: TopicNoticeProps) {
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
      </Notice>
    </div>
  )
}
