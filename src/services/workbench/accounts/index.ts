// The accounts of a backend: the list, their clients, factors and tokens.
export {
  type Account,
  accountName,
  accountsIn,
  type AccountUser,
  freeSlot,
  storageKeyOf,
  twinsOf,
} from './account-list.ts'
export {
  type AccountStore,
  chooseAccount,
  createAccountStore,
  lastAddress,
  rememberAddress,
  savedAccounts,
} from './account-store.ts'
export {
  type AccountClient,
  type Accounts,
  ANONYMOUS,
  createOtherClients,
  type OtherClients,
} from './accounts.ts'
export {
  enrolApp,
  enrolment,
  type Enrolment,
  type NewFactor,
  type Passkey,
  passkeyName,
  readPasskeys,
} from './enrolment.ts'
export { claimsOf, headerOf } from './jwt.ts'
export { type Metadata, metadataChange, metadataText, nullsIn, parseMetadata } from './metadata.ts'
export { RESTING, taskChart, type TaskEvent, type TaskState } from './task.ts'
