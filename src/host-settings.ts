// An entry for the workbench alone: asks a host which ways to sign in it offers. No part of the package.
export {
  parseHostSettings,
  readHostSettings,
  type HostSettings,
  type HostSettingsResult,
} from './services/auth/host-settings.ts'
