// The steps of the tour: where each is, what it points to, and what there is to see or to try.

export interface TourStep {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Something to do before going on; nobody has to. */
  readonly tryIt?: string
  /** The page that it is on; the one that is open unless told. */
  readonly to?: string
  /** A selector of what it points to. */
  readonly points?: string
}

/** Two minutes in the demo harbour. */
export const STEPS: readonly TourStep[] = [
  {
    id: 'harbour',
    title: 'A small harbour',
    text: 'Vessels, voyages and a log. Row policies decide which rows come back: the skipper and the mate each see their own log, and a new account has none yet.',
    tryIt: 'Open another table: vessels, say.',
    to: '/data/log_entries',
    points: 'nav[aria-label="Sections"] a[href$="/data"]',
  },
  {
    id: 'switcher',
    title: 'As whom, and where',
    text: 'Hosts and accounts stand side by side. Sign in as the mate as well; “Seen by…” above a table then shows what each of you sees of it.',
    tryIt: 'Press the button at the top: each host with its accounts.',
    points: '[data-tour="switcher"]',
  },
  {
    id: 'token',
    title: 'A session that doesn’t drop',
    text: 'The bar is the life of your access token. At the mark it is renewed, by one tab for all; offline it is kept, and nothing is sent as anybody else.',
    points: '[data-tour="token"]',
  },
  {
    id: 'console',
    title: 'Why did this happen?',
    text: 'The console shows every state and every event of this client while you work, records them, and replays them exactly.',
    tryIt: 'Open it with Ctrl+` or Alt+C, then open a table.',
    points: '#console-button',
  },
  {
    id: 'files',
    title: 'Charts and photos',
    text: 'Drop files or whole folders into a bucket. An upload that breaks off goes on where it stopped.',
    to: '/files',
    points: 'nav[aria-label="Sections"] a[href$="/files"]',
  },
  {
    id: 'functions',
    title: 'What does the tide do?',
    text: 'Functions are called with what you write, and answers are shown as they arrive.',
    tryIt: 'Call the function tide.',
    to: '/functions',
    points: 'nav[aria-label="Sections"] a[href$="/functions"]',
  },
  {
    id: 'realtime',
    title: 'The bridge',
    text: 'Join a topic, say something, see who is there. When the line breaks, the channel says why and comes back.',
    tryIt: 'Join the topic bridge.',
    to: '/realtime',
    points: 'nav[aria-label="Sections"] a[href$="/realtime"]',
  },
  {
    id: 'palette',
    title: 'Everything by key',
    text: 'Ctrl+K (or ⌘K) finds every table, page and command; ? shows all keys. There you find this tour again, too.',
    points: '[data-tour="search"]',
  },
]
