// The order of the pages in the navigation, by reader: those who use the client, debug, test, or run a backend.

/** Path of a page in docs, without `.md`, and its name in the sidebar. */
type Page = readonly [path: string, title: string]

export interface Group {
  readonly title: string
  readonly pages: readonly Page[]
}

export const GROUPS: readonly Group[] = [
  {
    title: 'Start',
    pages: [
      ['try', 'Try the console'],
      ['guide/tour', 'A tour in ten minutes'],
      ['side-by-side', 'Side by side with today’s clients'],
      ['guide/README', 'All guides'],
    ],
  },
  {
    title: 'Use it',
    pages: [
      ['guide/from-supabase-js', 'From supabase-js'],
      ['guide/status', 'Status'],
      ['guide/requests', 'Requests'],
      ['guide/realtime', 'Realtime'],
      ['guide/uploads', 'Uploads'],
      ['guide/offline', 'Offline writes'],
      ['guide/ssr', 'Server-side rendering'],
      ['guide/react-native', 'React Native, edge'],
      ['guide/vue-svelte', 'Vue and Svelte'],
      ['guide/recipes', 'Recipes for React'],
      ['guide/security', 'Security'],
    ],
  },
  {
    title: 'Debug',
    pages: [
      ['guide/console', 'The console'],
      ['guide/vite', 'The console with Vite'],
      ['guide/extension', 'The browser extension'],
      ['guide/recordings', 'Storing recordings'],
      ['guide/reports', 'Reports from users'],
      ['guide/faults', 'Faults'],
    ],
  },
  {
    title: 'Test',
    pages: [
      ['guide/replaying', 'Replaying'],
      ['guide/testing', 'Testing with traces'],
      ['guide/specifications', 'Specifications of machines'],
      ['guide/playwright', 'End-to-end tests'],
      ['guide/ci', 'In CI'],
      ['guide/assertions', 'Assertions'],
      ['guide/invariants', 'Invariants'],
      ['guide/coverage', 'Coverage'],
      ['guide/agents', 'Agents'],
      ['guide/cli', 'Command line'],
      ['guide/exactness', 'Replay exactness'],
      ['guide/soak', 'Soak test'],
    ],
  },
  {
    title: 'Workbench and backend',
    pages: [
      ['guide/workbench', 'The workbench'],
      ['guide/account', 'Sign-in and account'],
      ['guide/data-tools', 'Table tools'],
      ['guide/access', 'Access reviews'],
      ['guide/calls', 'Functions and topics'],
      ['guide/lost-nothing', 'Failures and unsaved work'],
      ['guide/backend', 'The embedded backend'],
      ['guide/deploy', 'Deployment'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['api', 'API'],
      ['trace-format', 'Trace format'],
      ['compatibility', 'Compatibility'],
      ['guide/benchmarks', 'Benchmarks'],
      ['architecture', 'Architecture'],
      ['test-postgres', 'Tests on PostgreSQL'],
      ['machines/README', 'All machines'],
    ],
  },
]

/** Groups whose pages are listed from the files: the machines, and the decisions by number. */
export const LISTED = {
  api: 'API by entry',
  machines: 'Machines',
  decisions: 'Decisions',
} as const
