// Workbench-only entry, not part of the package: checks all API families of a backend.
export { FAMILIES, type Family, type FamilyReport } from './machines/workbench/survey.ts'
export { createSurvey, type Survey, type SurveyState } from './services/workbench/hosts/survey.ts'
