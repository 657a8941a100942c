// The demo: a harbor with its tables, files, functions and accounts.
export { type DemoContent, harbour } from './harbour.ts'
export { type Account, DEMO_ACCOUNTS } from './seed.ts'
