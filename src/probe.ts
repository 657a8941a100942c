// An entry for the workbench alone: looks at hosts, reads addresses and keys. No part of the package.
export { FAMILIES, type Family, type FamilyReport } from './machines/survey.ts'
export { projectOf, readAddress, type AddressForm, type HostAddress } from './services/hosts/address.ts'
export { readKey, type ApiKey } from './services/hosts/api-key.ts'
export { readPasted } from './services/hosts/pasted.ts'
export { createSurvey, type Survey, type SurveyState } from './services/hosts/survey.ts'
export { readOwnFile, readOwnJson } from './services/hosts/own-files.ts'
export { probeBackend, type ProbeResult } from './services/probe.ts'
