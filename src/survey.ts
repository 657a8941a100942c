// An entry for the workbench alone: looks at all families of a host. No part of the package.
export { FAMILIES, type Family, type FamilyReport } from './machines/survey.ts'
export { createSurvey, type Survey, type SurveyState } from './services/hosts/survey.ts'
