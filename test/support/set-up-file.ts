import { endFiles } from './when-file-is-done.ts';

endFiles();
