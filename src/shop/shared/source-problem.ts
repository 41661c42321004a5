/** A file named by an import is unusable, with the reason. */
export class SourceProblem extends Error {}
