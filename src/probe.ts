// An entry for the workbench alone: asks whether a backend is there and takes its key. No part of the package.
export { probeBackend, readOwnJson, type ProbeResult } from './services/probe.ts'
