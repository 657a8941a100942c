// What the workbench keeps in memory, in the tab and in the browser.
export { fetchOfUser, keepByClient, userIn, userOf } from './by-client.ts'
export { createClientStore, createTraceStoreLoader, type LoadTraceStore } from './client-store.ts'
export { readSetting, settingNames, writeSetting } from './local-store.ts'
export { readList, isAnyKeyOf, byName as named, ownValue as own } from './safe-record.ts'
export { readInTab, writeInTab } from './tab-store.ts'
