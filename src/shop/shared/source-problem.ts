/** A file that an import names cannot be used, and why. */
export class SourceProblem extends Error {}
