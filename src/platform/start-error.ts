/** Something the person who runs the program can mend; its message is the one line they see. */
export class StartError extends Error {}
