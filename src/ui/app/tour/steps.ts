// The steps of the tour: text, location and highlighted element.

export interface TourStep {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Optional exercise. */
  readonly tryIt?: string
  /** The page of the step; defaults to the current page. */
  readonly to?: string
  /** Selector of the highlighted element. */
  readonly points?: string
}

/** A two-minute tour of the demo. */
export const STEPS: readonly TourStep[] = [
  {
    id: 'harbour',
    title: 'The harbour demo',
    text: 'Vessels, voyages and a log. Row policies decide which rows you get: the skipper and the mate each see their own log, and a new account has none yet.',
    tryIt: 'Try it: open the vessels table.',
    to: '/data/log_entries',
    points: 'nav[aria-label="Sections"] a[href$="/data"]',
  },
  {
    id: 'switcher',
    title: 'Accounts and backends',
    text: 'Stay signed in to several backends and accounts. Also sign in as the mate: “Seen by…” above a table then shows which rows each account sees.',
    tryIt: 'Try it: press the button at the top to see your backends and accounts.',
    points: '[data-tour="switcher"]',
  },
  {
    id: 'token',
    title: 'A session that doesn’t drop',
    text: 'The bar shows the lifetime of your access token. It refreshes at the mark, once for all tabs. Offline it is kept, and nothing is sent as another user.',
    points: '[data-tour="token"]',
  },
  {
    id: 'console',
    title: 'Why did this happen?',
    text: 'The console shows every state and event of this client while you work, records them, and replays them exactly.',
    tryIt: 'Try it: press Ctrl+` or Alt+C to open it, then open a table.',
    points: '#console-button',
  },
  {
    id: 'files',
    title: 'Files',
    text: 'Drop files or whole folders into a bucket. Interrupted uploads resume.',
    to: '/files',
    points: 'nav[aria-label="Sections"] a[href$="/files"]',
  },
  {
    id: 'functions',
    title: 'Functions',
    text: 'Call functions with your own input; responses appear as they arrive.',
    tryIt: 'Try it: call the function tide.',
    to: '/functions',
    points: 'nav[aria-label="Sections"] a[href$="/functions"]',
  },
  {
    id: 'realtime',
    title: 'Realtime',
    text: 'Join a topic, send a message, and see other users. When the connection drops, the channel shows why and reconnects.',
    tryIt: 'Try it: join the topic bridge.',
    to: '/realtime',
    points: 'nav[aria-label="Sections"] a[href$="/realtime"]',
  },
  {
    id: 'reports',
    title: 'Reports',
    text: 'What users reported, grouped by its cause, each with a recording. “Why?” shows the reason, and “Make a test” gives a command that writes a failing test.',
    tryIt: 'Try it: open “I was signed out while writing.” and press “Why?”.',
    to: '/reports',
    points: 'nav[aria-label="Sections"] a[href$="/reports"]',
  },
  {
    id: 'palette',
    title: 'Keyboard shortcuts',
    text: 'Ctrl+K (or ⌘K) finds every table, page and command; ? shows all shortcuts. You can restart this tour there, too.',
    points: '[data-tour="search"]',
  },
]
