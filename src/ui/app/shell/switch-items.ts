// Items of the backend and account switcher, the current backend first.
import {
  type Account,
  accountName,
  type Accounts,
  chooseAccount,
  savedAccounts,
} from '../../../services/workbench/accounts/index.ts'
import { type Connection, connectionTitle } from '../../../services/workbench/hosts/index.ts'
import type { ZoneChoice } from '../time-zone.ts'
import type { Workspace } from '../workspace.tsx'

export interface SwitchItem {
  readonly id: string
  readonly title: string
  readonly note: string
  /** It is the current account. */
  readonly isOn: boolean
  readonly run: () => void
}

export interface SwitchGroup {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly items: readonly SwitchItem[]
}

export interface SwitchHandlers {
  readonly manage: () => void
  readonly account: () => void
  /** Asks before a guest account is left: it is lost with its session. */
  readonly leaveGuest: (id: string) => void
}

type Here = Pick<Accounts, 'list' | 'active' | 'add' | 'switchTo' | 'signOut'>

/** Groups by backend; then the Connections page, and the zone of all times. */
export function switchGroups(
  { connections, dispatch }: Pick<Workspace, 'connections' | 'dispatch'>,
  here: Here,
  handlers: SwitchHandlers,
  zones: readonly ZoneChoice[],
): readonly SwitchGroup[] {
  const { list, active } = connections
  const own = list.filter(({ id }) => id === active)
  const others = list.filter(({ id }) => id !== active)
  const choose = (connection: Connection, account?: Account) => () => {
    if (account) chooseAccount(connection.url, account.id)
    dispatch({ type: 'connection.chosen', id: connection.id })
  }
  return [
    ...own.map(connection => ({
      ...head(connection),
      items: [
        ...here.list.map(account => ({
          ...named(connection, account),
          isOn: account.id === here.active?.id,
          run: () => (account.id === here.active?.id ? handlers.account() : here.switchTo(account.id)),
        })),
        {
          id: `${connection.id} add`,
          title: here.list.length === 0 ? 'Sign in' : 'Sign in with another account',
          note: '',
          isOn: false,
          run: here.add,
        },
        ...signOutItems(connection, here, handlers),
      ],
    })),
    ...others.map(connection => {
      const accounts = savedAccounts(connection.url)
      return {
        ...head(connection),
        items:
          accounts.length === 0
            ? [{ id: connection.id, title: 'Connect', note: '', isOn: false, run: choose(connection) }]
            : accounts.map(account => ({
                ...named(connection, account),
                isOn: false,
                run: choose(connection, account),
              })),
      }
    }),
    {
      id: 'manage',
      title: 'Backends',
      note: '',
      items: [{ id: 'manage hosts', title: 'Manage backends…', note: '', isOn: false, run: handlers.manage }],
    },
    ...(zones.length === 0
      ? []
      : [
          {
            id: 'times',
            title: 'Time zone',
            note: '',
            items: zones.map(({ title, isOn, choose: run }) => ({ id: title, title, note: '', isOn, run })),
          },
        ]),
  ]
}

const signOutItems = ({ id }: Connection, { active, signOut }: Here, { leaveGuest }: SwitchHandlers) =>
  active === undefined
    ? []
    : [
        {
          id: `${id} out`,
          title: active.isAnonymous ? 'Sign out…' : 'Sign out',
          note: active.isAnonymous ? '' : accountName(active),
          isOn: false,
          run: () => (active.isAnonymous ? leaveGuest(active.id) : void signOut(active.id)),
        },
      ]

const head = (connection: Connection) => ({
  id: connection.id,
  title: connectionTitle(connection),
  note: connection.url,
})

const named = (connection: Connection, account: Account) => ({
  id: `${connection.id} ${account.id}`,
  title: accountName(account),
  note: account.isAnonymous ? 'guest' : '',
})
