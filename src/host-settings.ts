// Workbench-only entry, not part of the package: reads which sign-in methods a backend offers.
export {
  parseHostSettings,
  readHostSettings,
  type HostSettings,
  type HostSettingsResult,
} from './services/client/auth/host-settings.ts'
