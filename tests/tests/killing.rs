//! Nothing of ours survives `kill -9`: of the front, of the owner and of both, at any moment; nor what
//! hosts do, which is a signal and SIGKILL soon after.

mod killing {
    mod bystanders;
    mod containers;
    mod dead_sockets;
    mod kinds;
    mod lanes;
    mod moments;
    mod random;
    mod remains;
    mod session;
    mod table;
}
