// Messages between the development server and the pages of an app, about questions of agents.

/** Name of the events with questions, from the server. */
export const AGENT_ASK = 'chartroom:agent-ask'
/** Name of the events with answers, from a page. */
export const AGENT_ANSWER = 'chartroom:agent-answer'

/** A page's answer to the question with this number. */
export interface AgentAnswer {
  readonly ask: number
  readonly result?: unknown
  /** What failed, and what to do, as sentences. */
  readonly failure?: string
}
